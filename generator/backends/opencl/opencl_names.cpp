#include "backends/opencl/opencl_names.h"

#include "support/check.h"

namespace burin::opencl {

std::string_view type_name(Type type) {
  switch (type) {
    case Type::f16:
      return "half";
    case Type::f32:
      return "float";
    case Type::f64:
      return "double";
    case Type::i8:
      return "char";
    case Type::i16:
      return "short";
    case Type::i32:
      return "int";
    case Type::i64:
      return "long";
    case Type::u8:
      return "uchar";
    case Type::u16:
      return "ushort";
    case Type::u32:
      return "uint";
    case Type::u64:
      return "ulong";
    case Type::boolean:
      return "bool";
    default:
      break;
  }
  BURIN_CHECK(false, "no OpenCL type for " + std::string(to_string(type)));
  return {};
}

std::string_view memory_name(Type type) {
  switch (type) {
    case Type::f16:
      return "half";
    case Type::bf16:
      return "ushort";
    case Type::f8e4m3fn:
    case Type::f8e4m3fnuz:
    case Type::f8e5m2:
    case Type::f8e5m2fnuz:
    case Type::f8e8m0:
    case Type::boolean:
      return "uchar";
    default:
      return type_name(type);
  }
}

const char* built_in(Unary op) {
  switch (op) {
    case Unary::abs:
      return "fabs";
    case Unary::sqrt:
      return "sqrt";
    case Unary::exp:
      return "exp";
    case Unary::expm1:
      return "expm1";
    case Unary::log:
      return "log";
    case Unary::log1p:
      return "log1p";
    case Unary::sin:
      return "sin";
    case Unary::cos:
      return "cos";
    case Unary::tan:
      return "tan";
    case Unary::asin:
      return "asin";
    case Unary::acos:
      return "acos";
    case Unary::atan:
      return "atan";
    case Unary::sinh:
      return "sinh";
    case Unary::cosh:
      return "cosh";
    case Unary::tanh:
      return "tanh";
    case Unary::asinh:
      return "asinh";
    case Unary::acosh:
      return "acosh";
    case Unary::atanh:
      return "atanh";
    case Unary::erf:
      return "erf";
    case Unary::floor:
      return "floor";
    case Unary::ceil:
      return "ceil";
    case Unary::trunc:
      return "trunc";
    case Unary::round:
      return "rint";
    case Unary::is_nan:
      return "isnan";
    case Unary::is_inf:
      return "isinf";
    default:
      return nullptr;
  }
}

const char* operator_text(Binary op) {
  switch (op) {
    case Binary::lt:
      return "<";
    case Binary::le:
      return "<=";
    case Binary::gt:
      return ">";
    case Binary::ge:
      return ">=";
    case Binary::eq:
      return "==";
    case Binary::ne:
    case Binary::logical_xor:
      return "!=";
    case Binary::logical_and:
      return "&&";
    case Binary::logical_or:
      return "||";
    default:
      return nullptr;
  }
}

const char* integer_function(Binary op) {
  switch (op) {
    case Binary::add:
      return "burin_add_";
    case Binary::sub:
      return "burin_subtract_";
    case Binary::mul:
      return "burin_multiply_";
    case Binary::div:
      return "burin_divide_";
    case Binary::mod:
      return "burin_floor_mod_";
    case Binary::fmod:
      return "burin_remainder_";
    case Binary::pow:
      return "burin_power_";
    case Binary::shift_left:
      return "burin_shift_left_";
    case Binary::shift_right:
      return "burin_shift_right_";
    default:
      return nullptr;
  }
}

}  // namespace burin::opencl

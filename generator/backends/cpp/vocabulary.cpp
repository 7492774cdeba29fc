#include "backends/cpp/vocabulary.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "support/check.h"

namespace burin::cpp {
namespace {

std::string call(std::string_view function, const std::string& a) {
  return "burin_rt::" + std::string(function) + "(" + a + ")";
}

std::string call(std::string_view function, const std::string& a, const std::string& b) {
  return "burin_rt::" + std::string(function) + "(" + a + ", " + b + ")";
}

std::string infix(const std::string& a, std::string_view op, const std::string& b) {
  return "(" + a + " " + std::string(op) + " " + b + ")";
}

std::string converted(Type to, const std::string& a) {
  return "static_cast<" + std::string(compute_name(to)) + ">(" + a + ")";
}

struct Function {
  std::string_view name, header;
};

// Functions of floats, in the order of Unary; an empty name is spelled some other way.
Function unary_function(Unary op) {
  switch (op) {
    case Unary::sqrt:
      return {"sqrt", "sqrt.h"};
    case Unary::rsqrt:
      return {"rsqrt", "sqrt.h"};
    case Unary::exp:
      return {"exp", "exp.h"};
    case Unary::expm1:
      return {"expm1", "exp.h"};
    case Unary::log:
      return {"log", "log.h"};
    case Unary::log1p:
      return {"log1p", "log.h"};
    case Unary::sin:
      return {"sin", "trig.h"};
    case Unary::cos:
      return {"cos", "trig.h"};
    case Unary::tan:
      return {"tan", "trig.h"};
    case Unary::asin:
      return {"asin", "inverse_trig.h"};
    case Unary::acos:
      return {"acos", "inverse_trig.h"};
    case Unary::atan:
      return {"atan", "inverse_trig.h"};
    case Unary::sinh:
      return {"sinh", "hyperbolic.h"};
    case Unary::cosh:
      return {"cosh", "hyperbolic.h"};
    case Unary::tanh:
      return {"tanh", "hyperbolic.h"};
    case Unary::asinh:
      return {"asinh", "hyperbolic.h"};
    case Unary::acosh:
      return {"acosh", "hyperbolic.h"};
    case Unary::atanh:
      return {"atanh", "hyperbolic.h"};
    case Unary::erf:
      return {"erf", "erf.h"};
    case Unary::floor:
      return {"floor", "round.h"};
    case Unary::ceil:
      return {"ceil", "round.h"};
    case Unary::trunc:
      return {"trunc", "round.h"};
    case Unary::round:
      return {"round_half_even", "round.h"};
    case Unary::is_nan:
      return {"isnan", "bits.h"};
    case Unary::is_inf:
      return {"isinf", "bits.h"};
    case Unary::abs:
      return {"absolute", "elementary.h"};
    case Unary::sign:
      return {"sign", "elementary.h"};
    case Unary::popcount:
      return {"popcount", "bits.h"};
    default:
      return {};
  }
}

std::string_view comparison(Binary op) {
  constexpr std::string_view kTexts[] = {"<", "<=", ">", ">=", "==", "!="};
  return kTexts[static_cast<size_t>(op) - static_cast<size_t>(Binary::lt)];
}

}  // namespace

std::string_view storage_type(Type type) {
  switch (type) {
    case Type::f16:
    case Type::bf16:
      return "uint16_t";
    case Type::f8e4m3fn:
    case Type::f8e4m3fnuz:
    case Type::f8e5m2:
    case Type::f8e5m2fnuz:
    case Type::f8e8m0:
    case Type::boolean:
      return "uint8_t";
    default:
      return compute_name(type);
  }
}

std::string_view procedure_type(Type type) {
  if (type == Type::f16) return "burin_rt::F16";
  if (type == Type::bf16) return "burin_rt::BF16";
  return storage_type(type);
}

std::string_view compute_name(Type type) {
  switch (type) {
    case Type::f32:
      return "float";
    case Type::f64:
      return "double";
    case Type::i8:
      return "int8_t";
    case Type::i16:
      return "int16_t";
    case Type::i32:
      return "int32_t";
    case Type::i64:
      return "int64_t";
    case Type::u8:
      return "uint8_t";
    case Type::u16:
      return "uint16_t";
    case Type::u32:
      return "uint32_t";
    case Type::u64:
      return "uint64_t";
    case Type::boolean:
      return "bool";
    default:
      break;
  }
  BURIN_CHECK(false, "no C++ type for " + std::string(to_string(type)));
  return {};
}

std::string unary_text(Unary op, Type type, const std::string& a, Headers& headers) {
  switch (op) {
    case Unary::neg:
      if (is_float(type)) return "(-" + a + ")";
      headers.insert("integer.h");
      return call("negate_wrap", a);
    case Unary::logical_not:
      return "!" + a;
    case Unary::bit_not:
      return type == Type::boolean ? "!" + a : converted(type, "~" + a);
    default:
      break;
  }
  const Function function = unary_function(op);
  BURIN_CHECK(!function.name.empty());
  headers.insert(std::string(function.header));
  return call(function.name, a);
}

std::string binary_text(Binary op, Type type, const std::string& a, const std::string& b,
                        Headers& headers) {
  const bool floating = is_float(type);
  if (is_comparison(op)) return infix(a, comparison(op), b);
  switch (op) {
    case Binary::logical_and:
      return infix(a, "&&", b);
    case Binary::logical_or:
      return infix(a, "||", b);
    case Binary::logical_xor:
      return infix(a, "!=", b);
    case Binary::min:
    case Binary::max:
      headers.insert("elementary.h");
      return call(op == Binary::min ? "minimum" : "maximum", a, b);
    case Binary::bit_and:
      return type == Type::boolean ? infix(a, "&&", b) : converted(type, a + " & " + b);
    case Binary::bit_or:
      return type == Type::boolean ? infix(a, "||", b) : converted(type, a + " | " + b);
    case Binary::bit_xor:
      return type == Type::boolean ? infix(a, "!=", b) : converted(type, a + " ^ " + b);
    default:
      break;
  }
  if (floating) {
    switch (op) {
      case Binary::add:
        return infix(a, "+", b);
      case Binary::sub:
        return infix(a, "-", b);
      case Binary::mul:
        return infix(a, "*", b);
      case Binary::div:
        return infix(a, "/", b);
      case Binary::mod:
        headers.insert("fmod.h");
        return call("mod", a, b);
      case Binary::fmod:
        headers.insert("fmod.h");
        return call("fmod", a, b);
      case Binary::pow:
        headers.insert("pow.h");
        return call("pow", a, b);
      case Binary::atan2:
        headers.insert("inverse_trig.h");
        return call("atan2", a, b);
      default:
        BURIN_CHECK(false, std::string(to_string(op)) + " of floats");
    }
  }
  headers.insert("integer.h");
  switch (op) {
    case Binary::add:
      return call("add_wrap", a, b);
    case Binary::sub:
      return call("subtract_wrap", a, b);
    case Binary::mul:
      return call("multiply_wrap", a, b);
    case Binary::div:
      return call("divide", a, b);
    case Binary::mod:
      return call("floor_mod", a, b);
    case Binary::fmod:
      return call("remainder", a, b);
    case Binary::pow:
      return call("integer_pow", a, b);
    case Binary::shift_left:
      return call("shift_left", a, b);
    case Binary::shift_right:
      return call("shift_right", a, b);
    default:
      break;
  }
  BURIN_CHECK(false, std::string(to_string(op)) + " of integers");
  return {};
}

namespace {

const char* header_of(Type narrow) {
  return size_bits(narrow) == 4 ? "float4.h" : size_bits(narrow) == 8 ? "float8.h" : "half.h";
}

std::string narrow(Type type, CastMode mode, const std::string& a, Headers& headers) {
  const bool small = size_bits(type) == 8;
  headers.insert(header_of(type));
  return call("f32_to_" + std::string(to_string(type)) +
                  (small && mode == CastMode::saturate ? "_saturate" : ""),
              a);
}

std::string widen(Type type, const std::string& a, Headers& headers) {
  headers.insert(header_of(type));
  return call(std::string(to_string(type)) + "_to_f32", a);
}

}  // namespace

std::string load_text(Type type, const std::string& element, Headers& headers) {
  if (is_narrow_float(type)) return widen(type, element, headers);
  if (type == Type::boolean) return "(" + element + " != 0)";
  return element;
}

std::string store_text(Type type, const std::string& value, Headers& headers) {
  if (is_narrow_float(type)) return narrow(type, CastMode::convert, value, headers);
  if (type == Type::boolean) return "static_cast<uint8_t>(" + value + ")";
  return value;
}

std::string cast_text(Type from, Type to, CastMode mode, const std::string& a, Headers& headers) {
  if (is_narrow_float(to)) {
    std::string single = a;
    if (from == Type::f64) {
      // Rounded once: through the function that goes from f64 directly.
      headers.insert(header_of(to));
      if (size_bits(to) == 16)
        return widen(to, call("f64_to_" + std::string(to_string(to)), a), headers);
      single = converted(Type::f32, a);
    } else if (from != Type::f32) {
      single = converted(Type::f32, a);
    }
    return widen(to, narrow(to, mode, single, headers), headers);
  }
  if (to == Type::boolean) {
    return is_float(from) ? "(" + a + " != " + (from == Type::f64 ? "0.0" : "0.0f") + ")"
                          : "(" + a + " != 0)";
  }
  if (is_integer(to)) {
    // Floats stop at the ends of the range in either mode.
    const bool clips = is_float(from) || (mode == CastMode::saturate && is_integer(from));
    const Type whole = compute_type(to);
    const std::string name(compute_name(whole));
    std::string out = is_float(from) ? call("to_integer_saturate<" + name + ">", a)
                      : clips        ? call("saturate<" + name + ">", a)
                                     : converted(whole, a);
    const bool few_bits = is_packed(to);
    if (few_bits) {
      out = call((clips ? "saturate_" : "wrap_") + std::string(to_string(to)), out);
    }
    if (clips || few_bits) headers.insert("cast.h");
    return out;
  }
  return converted(to, a);
}

namespace {

// In no locale.
std::string decimal(double value, int digits) {
  std::array<char, 64> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::general, digits);
  BURIN_CHECK(error == std::errc());
  return {text.data(), end};
}

double from_decimal(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  BURIN_CHECK(error == std::errc());
  return value;
}

}  // namespace

std::string constant_text(const ExprNode& constant, Headers& headers) {
  const Type type = constant.type;
  if (type == Type::boolean) return constant.integer ? "true" : "false";
  if (is_float(type)) {
    const double value = constant.number;
    const bool is_double = type == Type::f64;
    if (std::isnan(value) || std::isinf(value)) {
      headers.insert("bits.h");
      const std::string text = std::string("burin_rt::") + (is_double ? "f64_" : "f32_") +
                               (std::isnan(value) ? "nan()" : "infinity()");
      return std::signbit(value) && std::isinf(value) ? "(-" + text + ")" : text;
    }
    // Short decimals read better; where six digits are not exact, as many as the type needs.
    std::string out = decimal(value, 6);
    const double back = from_decimal(out);
    const bool exact =
        is_double ? back == value : static_cast<float>(back) == static_cast<float>(value);
    if (!exact) out = decimal(value, is_double ? 17 : 9);
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    if (!is_double) out += "f";
    return std::signbit(value) ? "(" + out + ")" : out;
  }
  const int64_t value = constant.integer;
  std::string out;
  switch (type) {
    case Type::i64:
      if (value == std::numeric_limits<int64_t>::min()) return "INT64_MIN";
      out = "INT64_C(" + std::to_string(value) + ")";
      return value < 0 ? "(" + out + ")" : out;
    case Type::u64:
      return "UINT64_C(" + std::to_string(static_cast<uint64_t>(value)) + ")";
    case Type::u32:
      return std::to_string(static_cast<uint32_t>(value)) + "u";
    case Type::i32:
      if (value == std::numeric_limits<int32_t>::min()) return "INT32_MIN";
      out = std::to_string(value);
      return value < 0 ? "(" + out + ")" : out;
    default:
      return converted(type, std::to_string(value));
  }
}

}  // namespace burin::cpp

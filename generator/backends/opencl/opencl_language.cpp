#include "backends/opencl/opencl_language.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "backends/opencl/opencl_names.h"
#include "support/check.h"

namespace burin::opencl {
namespace {

using print::Headers;
using print::Held;

// "i32", "f64": suffix of functions in runtime_min/opencl.
std::string suffix(Type type) { return std::string(to_string(type)); }

std::string call(const std::string& function, const std::string& a) {
  return function + "(" + a + ")";
}
std::string call(const std::string& function, const std::string& a, const std::string& b) {
  return function + "(" + a + ", " + b + ")";
}
std::string infix(const std::string& a, std::string_view op, const std::string& b) {
  return "(" + a + " " + std::string(op) + " " + b + ")";
}

class OpenClC final : public print::Language {
 public:
  std::string_view compute_name(Type type) const override { return type_name(type); }
  std::string_view index_type(int bits) const override { return bits == 32 ? "int" : "long"; }
  std::string_view maybe_unused() const override { return ""; }

  std::string unary(Unary op, Type type, const std::string& a, Headers& headers) const override {
    const bool floating = is_float(type);
    need(type, headers);
    switch (op) {
      case Unary::neg:
        if (floating) return "(-" + a + ")";
        headers.insert("integer.cl");
        return call("burin_negate_" + suffix(type), a);
      case Unary::logical_not:
        return "!" + a;
      case Unary::bit_not:
        return type == Type::boolean ? "!" + a : converted(type_name(type), "~" + a);
      case Unary::popcount:
        return converted("uint", call("popcount", a));
      case Unary::rsqrt:  // the built-in rsqrt errs by 2 units in the last place
        return std::string("(") + (type == Type::f64 ? "1.0" : "1.0f") + " / " + call("sqrt", a) +
               ")";
      case Unary::sign:
        headers.insert(floating ? file_of(type) : "integer.cl");
        return call("burin_sign_" + suffix(type), a);
      case Unary::abs:
        if (type == Type::f16) {
          headers.insert(file_of(type));
          return call("burin_absolute_f16", a);
        }
        if (floating) break;
        headers.insert("integer.cl");
        return call("burin_absolute_" + suffix(type), a);
      default:
        break;
    }
    const char* function = built_in(op);
    BURIN_CHECK(function && floating, std::string(to_string(op)) + " in OpenCL");
    const std::string text = call(function, a);
    return op == Unary::is_nan || op == Unary::is_inf ? "(" + text + " != 0)" : text;
  }

  std::string binary(Binary op, Type type, const std::string& a, const std::string& b,
                     Headers& headers) const override {
    need(type, headers);
    if (const char* text = operator_text(op)) return infix(a, text, b);
    if (op == Binary::bit_and || op == Binary::bit_or || op == Binary::bit_xor)
      return bits(op, type, a, b);
    if (!is_float(type)) {
      if (op == Binary::min || op == Binary::max)
        return call(op == Binary::min ? "min" : "max", a, b);
      const char* function = integer_function(op);
      BURIN_CHECK(function, std::string(to_string(op)) + " of integers in OpenCL");
      headers.insert("integer.cl");
      return call(function + suffix(type), a, b);
    }
    switch (op) {
      case Binary::add:
        return infix(a, "+", b);
      case Binary::sub:
        return infix(a, "-", b);
      case Binary::mul:
        return infix(a, "*", b);
      case Binary::div:
        return infix(a, "/", b);
      case Binary::fmod:
        return call("fmod", a, b);
      case Binary::pow:
        return call("pow", a, b);
      case Binary::atan2:
        return call("atan2", a, b);
      default:
        break;
    }
    headers.insert(file_of(type));
    const char* function = op == Binary::min   ? "burin_minimum_"
                           : op == Binary::max ? "burin_maximum_"
                           : op == Binary::mod ? "burin_mod_"
                                               : nullptr;
    BURIN_CHECK(function, std::string(to_string(op)) + " of floats in OpenCL");
    return call(function + suffix(type), a, b);
  }

  std::string cast(Type from, Type to, CastMode mode, const std::string& a,
                   Headers& headers) const override {
    need(from, headers);
    if (to == Type::f64) need(to, headers);
    if (is_narrow_float(to)) return rounded(from, to, mode, a, headers);
    if (from == Type::f16 && to != Type::f32)
      return cast(Type::f32, to, mode, converted("float", a), headers);
    if (to == Type::boolean)
      return infix(a, "!=", from == Type::f64 ? "0.0" : is_float(from) ? "0.0f" : "0");
    if (!is_integer(to)) return converted(type_name(to), a);
    // Floats stop at the ends of the range in either mode.
    const bool clips = is_float(from) || (mode == CastMode::saturate && is_integer(from));
    const std::string name(type_name(compute_type(to)));
    std::string out = clips ? call("convert_" + name + "_sat", a) : converted(name, a);
    if (!is_packed(to)) return out;
    headers.insert("integer.cl");
    return call((clips ? "burin_saturate_" : "burin_wrap_") + suffix(to), out);
  }

  std::string constant(const ExprNode& constant, Headers& headers) const override {
    need(constant.type, headers);
    const int64_t value = constant.integer;
    switch (constant.type) {
      case Type::f16: {
        ExprNode single = constant;
        single.type = Type::f32;
        return converted("half", this->constant(single, headers));
      }
      case Type::f32:
      case Type::f64:
        if (std::isnan(constant.number)) return as_float(constant.type, "NAN");
        if (std::isinf(constant.number)) {
          const std::string text = as_float(constant.type, "INFINITY");
          return constant.number < 0 ? "(-" + text + ")" : text;
        }
        break;
      case Type::i64:
        if (value == std::numeric_limits<int64_t>::min()) return "LONG_MIN";
        return value < 0 ? "(" + std::to_string(value) + "L)" : std::to_string(value) + "L";
      case Type::u64:
        return std::to_string(static_cast<uint64_t>(value)) + "UL";
      case Type::i32:
        if (value == std::numeric_limits<int32_t>::min()) return "INT_MIN";
        break;
      case Type::i8:
      case Type::i16:
      case Type::u8:
      case Type::u16:
        return converted(type_name(constant.type), std::to_string(value));
      default:
        break;
    }
    Headers none;  // what is left is spelled alike in C++
    return cpp::constant_text(constant, none);
  }

  std::string to_fp16(const std::string& a, Headers& headers) const override {
    need(Type::f16, headers);
    return converted("half", a);
  }

  std::string converted(std::string_view type, const std::string& a) const override {
    // Behind parentheses a '*' would look like one of a pointer, to people and to clang-format.
    const bool word = std::all_of(a.begin(), a.end(),
                                  [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    return "(" + std::string(type) + ")" + (word ? a : "(" + a + ")");
  }

  // An element of a half that is computed in floats is named by what vload_half and vstore_half
  // take: offset, pointer.
  std::string element(Held held, const std::string& pointer,
                      const std::string& index) const override {
    return converts_fp16(held) ? index + ", " + pointer : pointer + "[" + index + "]";
  }
  bool assigns(Held held) const override { return !converts_fp16(held); }
  std::string load(Held held, const std::string& element, Headers& headers) const override {
    const Type type = held.storage;
    need(held.compute, headers);
    if (converts_fp16(held)) return call("vload_half", element);
    if (held.compute == Type::f16) return element;
    if (is_narrow_float(type)) return widened(type, element, headers);
    if (type == Type::boolean) return "(" + element + " != 0)";
    return element;
  }
  std::string store(Held held, const std::string& element, const std::string& value,
                    Headers& headers) const override {
    const Type type = held.storage;
    need(held.compute, headers);
    if (converts_fp16(held)) return "vstore_half_rte(" + value + ", " + element + ");";
    if (held.compute == Type::f16) return element + " = " + value + ";";
    if (is_narrow_float(type))
      return element + " = " + narrowed(type, CastMode::convert, value, headers) + ";";
    if (type == Type::boolean) return element + " = (uchar)(" + value + ");";
    return element + " = " + value + ";";
  }

  std::string floor_divide(const std::string& type, const std::string& a, const std::string& b,
                           Headers& headers) const override {
    headers.insert("integer.cl");
    return call(index_function("burin_floor_divide_", type), a, b);
  }
  std::string floor_mod(const std::string& type, const std::string& a, const std::string& b,
                        Headers& headers) const override {
    headers.insert("integer.cl");
    return call(index_function("burin_floor_mod_", type), a, b);
  }
  // Operands of min and max are of one type; sums of literals alone may be of another.
  std::string least(const std::string& type, const std::string& a, const std::string& b,
                    Headers&) const override {
    return call("min", converted(type, a), converted(type, b));
  }
  std::string greatest(const std::string& type, const std::string& a, const std::string& b,
                       Headers&) const override {
    return call("max", converted(type, a), converted(type, b));
  }

  // Behind a tensor stands where it starts in its buffer, in elements.
  std::string tensor_parameter(Type type, const std::string& name, bool written,
                               bool alone) const override {
    return std::string("__global ") + (written ? "" : "const ") + std::string(memory_name(type)) +
           (alone ? "* restrict " : "* ") + name;
  }
  std::string scratch_parameter(const std::string& name) const override {
    return "__global uchar* restrict " + name;
  }
  std::string scratch_pointer(std::string_view type, const std::string& name,
                              const std::string& bytes) const override {
    const std::string pointer = "__global " + std::string(type == "bool" ? "uchar" : type) + "*";
    return pointer + " const " + name + " = (" + pointer + ")(" + bytes + ");";
  }
  std::string storage_name(Type type) const override { return std::string(memory_name(type)); }
  std::string stack_array(Type type, const std::string& name, int64_t elements) const override {
    return storage_name(type) + " " + name + "[" + std::to_string(elements) + "];";
  }
  std::string unroll(int64_t rounds) const override {
    return "#pragma unroll " + std::to_string(rounds);
  }
  std::string barrier() const override { return "barrier(CLK_LOCAL_MEM_FENCE);"; }
  // Arrays of work-items are variables once loops are written out, so that only the functions for
  // vectors may look at them; others begin at a multiple of four elements.
  std::string move_four(const Neighbours& to, const Neighbours& from,
                        Headers& headers) const override {
    const auto vector_at = [](const Neighbours& one, const char* access) {
      const std::string space = one.scope == loops::Scope::group ? "__local " : "__global ";
      return "*(" + space + access + std::string(memory_name(one.type)) + "4*)" + one.pointer;
    };
    need(to.type, headers);
    const bool widens = from.type == Type::f16 && to.type != Type::f16;
    const std::string value = widens ? "vload_half4(0, " + from.pointer + ")"
                              : from.scope == loops::Scope::stack
                                  ? "vload4(0, " + from.pointer + ")"
                                  : vector_at(from, "const ");
    return to.scope == loops::Scope::stack ? "vstore4(" + value + ", 0, " + to.pointer + ");"
                                           : vector_at(to, "") + " = " + value + ";";
  }
  std::string texel_place(const std::string& x, const std::string& y) const override {
    return "(int2)(" + x + ", " + y + ")";
  }
  std::string component(const std::string& image, const std::string& place,
                        const std::string& component, Headers& headers) const override {
    headers.insert("image.cl");
    const std::string texel = "read_imagef(" + image + ", burin_texels, " + place + ")";
    const bool number = std::all_of(component.begin(), component.end(),
                                    [](unsigned char c) { return std::isdigit(c); });
    return number ? texel + ".s" + component : "burin_component(" + texel + ", " + component + ")";
  }
  // Vectors in registers and functions inside of others: no schedule of a device has them.
  std::string vector_name(Type, int64_t, Headers&) const override { return not_there(); }
  std::string matrix_name(Type, int64_t, int64_t, Headers&) const override { return not_there(); }
  std::string independent(Headers&) const override { return not_there(); }
  std::string outlined_function(Headers&) const override { return not_there(); }
  std::string outlined_function(Type, const std::string&, const std::string&,
                                Headers&) const override {
    return not_there();
  }

 private:
  static std::string not_there() {
    BURIN_CHECK(false, "a statement that OpenCL C has not");
    return {};
  }
  static void need(Type type, Headers& headers) {
    if (type == Type::f64) headers.insert(kNeedsFp64);
    if (type == Type::f16) headers.insert(kNeedsFp16);
  }
  static bool converts_fp16(Held held) {
    return held.storage == Type::f16 && held.compute != Type::f16;
  }
  static std::string file_of(Type type) {
    return type == Type::f64 ? "float64.cl" : type == Type::f16 ? "float16.cl" : "float32.cl";
  }
  static std::string index_function(const char* name, const std::string& type) {
    return name + std::string(type == "int" ? "i32" : "i64");
  }
  static std::string as_float(Type type, const char* text) {
    return type == Type::f64 ? "((double)" + std::string(text) + ")" : text;
  }

  std::string bits(Binary op, Type type, const std::string& a, const std::string& b) const {
    const bool boolean = type == Type::boolean;
    const char* text = op == Binary::bit_and  ? (boolean ? "&&" : "&")
                       : op == Binary::bit_or ? (boolean ? "||" : "|")
                                              : (boolean ? "!=" : "^");
    return boolean ? infix(a, text, b)
                   : converted(type_name(type), a + " " + std::string(text) + " " + b);
  }

  static std::string narrow_file(Type type) {
    return type == Type::f16 ? "half.cl" : type == Type::bf16 ? "bfloat16.cl" : "float8.cl";
  }
  static std::string widened(Type type, const std::string& a, Headers& headers) {
    headers.insert(narrow_file(type));
    return call("burin_" + suffix(type) + "_to_f32", a);
  }
  static std::string narrowed(Type type, CastMode mode, const std::string& a, Headers& headers) {
    headers.insert(narrow_file(type));
    const bool clips = size_bits(type) == 8 && mode == CastMode::saturate;
    return call("burin_f32_to_" + suffix(type) + (clips ? "_saturate" : ""), a);
  }
  // Through the narrow type and back.
  std::string rounded(Type from, Type to, CastMode mode, const std::string& a,
                      Headers& headers) const {
    std::string single = a;
    if (from == Type::f64) {
      // Rounded to odd, so that the second rounding makes one of both.
      headers.insert("float64.cl");
      single = size_bits(to) == 16 ? call("burin_round_to_odd", a) : converted("float", a);
    } else if (from != Type::f32) {
      single = converted("float", a);
    }
    return widened(to, narrowed(to, mode, single, headers), headers);
  }
};

}  // namespace

const print::Language& opencl_language() {
  static const OpenClC language;
  return language;
}

}  // namespace burin::opencl

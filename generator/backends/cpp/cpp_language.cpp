#include "backends/cpp/cpp_language.h"

#include "backends/cpp/vocabulary.h"
#include "isa/matrix_rows.h"
#include "support/check.h"

namespace burin::cpp {
namespace {

using print::Held;
using print::Language;
using print::ScratchPointer;

std::string function(const char* name, const std::string& type, const std::string& a,
                     const std::string& b) {
  return "burin_rt::" + std::string(name) + "<" + type + ">(" + a + ", " + b + ")";
}

// One of each, with commas between.
template <class Text>
std::string listed(const std::string& begin, const std::vector<ScratchPointer>& all,
                   const std::string& end, Text&& text) {
  std::string out = begin;
  for (const ScratchPointer& one : all) out += (&one == all.data() ? "" : ", ") + text(one);
  return out + end;
}

class Cpp final : public Language {
 public:
  std::string_view compute_name(Type type) const override { return cpp::compute_name(type); }
  std::string_view index_type(int bits) const override {
    return bits == 32 ? "int32_t" : "int64_t";
  }
  std::string_view maybe_unused() const override { return "[[maybe_unused]] "; }

  std::string unary(Unary op, Type type, const std::string& a, Headers& headers) const override {
    return unary_text(op, type, a, headers);
  }
  std::string binary(Binary op, Type type, const std::string& a, const std::string& b,
                     Headers& headers) const override {
    return binary_text(op, type, a, b, headers);
  }
  std::string fused(const std::string& a, const std::string& b, const std::string& c,
                    Headers& headers) const override {
    headers.insert("fma.h");
    return "burin_rt::multiply_add(" + a + ", " + b + ", " + c + ")";
  }
  std::string cast(Type from, Type to, CastMode mode, const std::string& a,
                   Headers& headers) const override {
    return cast_text(from, to, mode, a, headers);
  }
  std::string constant(const ExprNode& constant, Headers& headers) const override {
    return constant_text(constant, headers);
  }
  std::string converted(std::string_view type, const std::string& a) const override {
    return "static_cast<" + std::string(type) + ">(" + a + ")";
  }

  std::string to_fp16(const std::string&, Headers&) const override {
    BURIN_CHECK(false, "C++ computes in floats");
    return {};
  }
  std::string element(Held, const std::string& pointer, const std::string& index) const override {
    return pointer + "[" + index + "]";
  }
  std::string load(Held held, const std::string& element, Headers& headers) const override {
    return load_text(held.storage, element, headers);
  }
  std::string store(Held held, const std::string& element, const std::string& value,
                    Headers& headers) const override {
    return element + " = " + store_text(held.storage, value, headers) + ";";
  }

  std::string floor_divide(const std::string& type, const std::string& a, const std::string& b,
                           Headers& headers) const override {
    headers.insert("integer.h");
    return function("floor_divide", type, a, b);
  }
  std::string floor_mod(const std::string& type, const std::string& a, const std::string& b,
                        Headers& headers) const override {
    headers.insert("integer.h");
    return function("floor_mod", type, a, b);
  }
  std::string least(const std::string& type, const std::string& a, const std::string& b,
                    Headers& headers) const override {
    headers.insert("elementary.h");
    return function("minimum", type, a, b);
  }
  std::string greatest(const std::string& type, const std::string& a, const std::string& b,
                       Headers& headers) const override {
    headers.insert("elementary.h");
    return function("maximum", type, a, b);
  }

  std::string tensor_parameter(Type type, const std::string& name, bool written,
                               bool alone) const override {
    return (written ? "" : "const ") + std::string(storage_type(type)) +
           (alone ? "* __restrict " : "* ") + name;
  }
  std::string scratch_parameter(const std::string& name) const override {
    return "uint8_t* __restrict " + name;
  }
  std::string scratch_pointer(std::string_view type, const std::string& name,
                              const std::string& bytes) const override {
    const std::string element(type);
    return element + "* const " + name + " = reinterpret_cast<" + element + "*>(" + bytes + ");";
  }
  std::string function_of_pointers(const std::vector<ScratchPointer>& all) const override {
    return listed("[&](", all, ") {",
                  [](const ScratchPointer& one) { return one.type + "* __restrict " + one.name; });
  }
  std::string call_of_pointers(const std::vector<ScratchPointer>& all) const override {
    return listed("}(", all, ");", [](const ScratchPointer& one) {
      return "reinterpret_cast<" + one.type + "*>(" + one.from + ")";
    });
  }
  std::string storage_name(Type type) const override { return std::string(storage_type(type)); }
  std::string stack_array(Type type, const std::string& name, int64_t elements) const override {
    return "alignas(64) " + storage_name(type) + " " + name + "[" + std::to_string(elements) + "];";
  }
  std::string vector_name(Type type, int64_t lanes, Headers& headers) const override {
    const bool floats = type == Type::f32;
    BURIN_CHECK(floats || type == Type::i32, "vectors of other types are not in use");
    headers.insert(floats ? "vec.h" : "dot.h");
    return std::string("burin_rt::") + (floats ? "Float" : "Int") + "Vector<" +
           std::to_string(lanes) + ">";
  }
  std::string matrix_name(Type type, int64_t rows, int64_t columns,
                          Headers& headers) const override {
    BURIN_CHECK(type == Type::f32 || type == Type::i32, "matrices of other types are not in use");
    headers.insert("matrix.h");
    return "burin_rt::MatrixSums<" + std::to_string(rows / isa::kMatrixRows) + ", " +
           std::to_string(columns / isa::kMatrixColumns) + (type == Type::f32 ? ", float>" : ">");
  }
  std::string independent(Headers& headers) const override {
    headers.insert("independent.h");
    return "BURIN_RT_INDEPENDENT";
  }
  std::string outlined_function(Headers& headers) const override {
    headers.insert("outlined.h");
    return "burin_rt::outlined([=]() {";
  }
  std::string outlined_function(Type type, const std::string& array, const std::string& own,
                                Headers& headers) const override {
    headers.insert("outlined.h");
    return "burin_rt::outlined(" + array + ", [=](" + storage_name(type) + "* __restrict " + own +
           ") {";
  }
  std::string unroll(int64_t rounds) const override {
    return "#pragma GCC unroll " + std::to_string(rounds);
  }
};

}  // namespace

const print::Language& cpp_language() {
  static const Cpp language;
  return language;
}

}  // namespace burin::cpp

// OpDef: what burin knows of one ONNX operator. One operator is one file in generator/ops/, which
// defines `OpDef op_<file stem>()`; the build finds it (ops.cmake), nothing else names it.
//
// `lower` is the whole meaning of an operator: it declares types and shapes of the outputs and
// gives the kernels that compute them. Everything else is derived from it: forward shapes by
// running it, values of shape-carrying tensors by evaluating its kernels over symbols, backward
// facts by unification, constant folding by interpreting its kernels, dynamism and layout classes
// from what it asked for and from its accesses (SoD2 section 3 and Table 3, SmartMem section 3.1).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernel/expr/type.h"

namespace burin {

class OpContext;

// A set of element types, and of the containers that are allowed beside tensors.
struct TypeSet {
  uint64_t bits = 0;
  constexpr bool contains(Type type) const { return (bits >> static_cast<int>(type)) & 1; }
  constexpr TypeSet operator|(TypeSet other) const { return {bits | other.bits}; }
  constexpr bool operator==(const TypeSet&) const = default;
};
constexpr TypeSet only(Type type) { return {uint64_t{1} << static_cast<int>(type)}; }

namespace types {
inline constexpr TypeSet f32 = only(Type::f32), i32 = only(Type::i32), i64 = only(Type::i64),
                         boolean = only(Type::boolean), i8 = only(Type::i8), u8 = only(Type::u8),
                         string = only(Type::string);
inline constexpr TypeSet narrow8 =
    only(Type::f8e4m3fn) | only(Type::f8e4m3fnuz) | only(Type::f8e5m2) | only(Type::f8e5m2fnuz);
inline constexpr TypeSet floats = only(Type::f16) | only(Type::bf16) | f32 | only(Type::f64);
inline constexpr TypeSet signed_integers = i8 | only(Type::i16) | i32 | i64;
inline constexpr TypeSet unsigned_integers =
    u8 | only(Type::u16) | only(Type::u32) | only(Type::u64);
inline constexpr TypeSet integers = signed_integers | unsigned_integers;
inline constexpr TypeSet int4 = only(Type::i4) | only(Type::u4),
                         int2 = only(Type::i2) | only(Type::u2), float4 = only(Type::f4e2m1),
                         exponents = only(Type::f8e8m0);  // scales that are powers of two
inline constexpr TypeSet indices = i32 | i64;
// Of an output: strings that the model lists are given as positions in that list (set_note).
inline constexpr TypeSet labels = i64 | string;
inline constexpr TypeSet numeric = floats | integers;
// Every tensor except strings.
inline constexpr TypeSet all = numeric | boolean | narrow8 | int4 | int2 | float4 | exponents;
// What only moves elements takes strings, too.
inline constexpr TypeSet tensors = all | string;
// Tuples of tensors of any of these types (Tuple in op_context.h).
inline constexpr TypeSet sequence{uint64_t{1} << 62}, optional{uint64_t{1} << 63};
}  // namespace types

std::string to_string(TypeSet types);  // "f16 f32 i64 sequence"

enum class Arity : uint8_t { required, optional, variadic };

inline constexpr int kLatestOpset = 28;

// The versions of a domain in which something exists: both ends belong to it.
struct Opsets {
  int first = 1, last = kLatestOpset;
  constexpr bool contains(int version) const { return first <= version && version <= last; }
  constexpr bool operator==(const Opsets&) const = default;
};
constexpr Opsets since(int first) { return {first, kLatestOpset}; }
constexpr Opsets until(int last) { return {1, last}; }

// An operand. Those of one version are the formals that exist in it, in this order, so an operand
// that moved or became optional in a later version is two formals.
struct Formal {
  std::string name;  // as in the specification: "X"
  TypeSet types = types::all;
  Arity arity = Arity::required;  // variadic only last; one or more
  Opsets opsets = {};
};

enum class AttributeKind : uint8_t { integer, real, text, tensor, block, integers, reals, texts };

struct AttributeDef {
  std::string name;
  AttributeKind kind;
  bool required = false;
  Opsets opsets = {};  // one that changed its kind is two definitions
  // Of one that `lower` does not know: the value that means what leaving it out means.
  std::variant<std::monostate, int64_t, std::string> neutral = {};
};

struct OpDef {
  std::string name;         // "Softmax"
  std::string domain = {};  // "" is ai.onnx
  int since = 1;            // opset versions of its domain that `lower` knows
  int until = kLatestOpset;
  std::vector<Formal> inputs = {}, outputs = {};
  std::vector<AttributeDef> attributes = {};
  void (*lower)(OpContext&) = nullptr;
  bool converts = false;  // its result is its operand as another kind of number
  std::string note = {};  // limits, for `burin ops`; may be empty
};

}  // namespace burin

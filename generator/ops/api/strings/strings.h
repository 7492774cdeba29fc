// What operators about strings are written with: comparing, measuring and finding them. A string is
// a row of OpContext::string_bytes() bytes of UTF-8 with zeros behind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// A byte of one string by its place.
using ByteReader = std::function<Expr(const Index& byte)>;

inline ByteReader bytes_at(const Operand& strings, Indices at) {
  return [strings, at = std::move(at)](const Index& byte) { return strings.byte_at(at, byte); };
}

inline Expr whole(int64_t number) { return Expr::constant(Type::i64, number); }
inline Expr both(const Expr& a, const Expr& b) { return Expr::binary(Binary::logical_and, a, b); }
inline Expr either(const Expr& a, const Expr& b) { return Expr::binary(Binary::logical_or, a, b); }
inline Expr is_byte(const Expr& byte, int64_t value) {
  return compare(Binary::eq, byte, Expr::constant(Type::u8, value));
}
inline Expr is_between(const Expr& byte, int64_t first, int64_t last) {
  return both(compare(Binary::ge, byte, Expr::constant(Type::u8, first)),
              compare(Binary::le, byte, Expr::constant(Type::u8, last)));
}

// A place that is computed, clipped to [0, extent).
Index clipped(const Expr& place, int64_t extent);

// A list of strings of the operator itself.
Operand list_of(OpContext& op, std::string_view what, const std::vector<std::string>& strings);

// How many bytes it has, i64.
Expr length_of(OpContext& op, KernelBuilder& kernel, const ByteReader& string);

// Whether two strings are the same, boolean.
Expr is_same(OpContext& op, KernelBuilder& kernel, const ByteReader& a, const ByteReader& b);

// Where the first of `list` is that is the same as `string`, i64; behind its end where none is.
Expr place_in(OpContext& op, KernelBuilder& kernel, const Operand& list, const ByteReader& string);

// place_in for every string, as a tensor.
Operand places_in(OpContext& op, const Operand& list, const Operand& strings);

// The largest element of a tensor of i64, 0 where there is none, as a size that is at most `most`;
// the run stops with a status where it is more.
Dim largest_of(OpContext& op, std::string_view what, const Operand& numbers, const Dim& most);

}  // namespace burin

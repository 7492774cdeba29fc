// Bytes that floats give for combinations of bytes, by the interpreter, all at once.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "select/bytes/fixed_line.h"

namespace burin {

// Operand number `number`, as something that no load of a kernel is.
inline Expr standing_for(const Expr& operand, size_t number) {
  return Expr::load(-2 - static_cast<int>(number), operand.type(), {});
}

// A byte that axis number `axis`, of 256 points, counts.
inline Expr counted_byte(Type type, int axis) {
  return Expr::cast(type, Expr::index(Index::axis(axis, 256) + lowest(type)));
}

// `value`: of constants, of `axes` of the kernel, whose points combinations count, and `operands`.
std::vector<int64_t> exact_bytes(const Expr& value, const Kernel& kernel,
                                 const std::vector<int>& axes, const std::vector<Expr>& operands,
                                 const std::vector<ByteCombination>& all,
                                 std::vector<Value> values);

}  // namespace burin

// A byte that is a line of two bytes (real_form.h), as an operation of isa/digit_rows.h: its
// factors as digits of seven bits, its sums in 16 bits.
//
// All pairs of bytes are looked at: those whose position is nearer to the end of a byte than it may
// stray from floats are asked of the interpreter, and an offset is sought with which all are right.
#pragma once

#include <map>
#include <optional>

#include "select/bytes/byte_ops.h"
#include "select/bytes/real_form.h"

namespace burin {

// `op` has the operands and the point; `value`: of the kernel with `axes`, which points count.
// nullopt: the form has limits on the way, 16 bits do not hold it, or no offset is right for all.
std::optional<SaidByteOp> find_digit_op(const RealForm& form, ByteOp op, const Expr& value,
                                        const Kernel& kernel, const std::vector<int>& axes,
                                        const std::map<Expr, Expr>& said,
                                        std::vector<Value>& values);

}  // namespace burin

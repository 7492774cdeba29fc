// A byte that is made of the product of two bytes (a gate): as an operation of isa/byte_products.h
// and the line of one sum behind it (line.h, isa/requantise_rows.h).
//
// Each factor is a byte less its zero point, times a scale. All 65,536 pairs are looked at: an
// offset of the line with which all bytes are those of floats is nearly always found; else what is
// near to the end of a byte is left to floats as the tree runs.
#pragma once

#include <map>
#include <optional>

#include "select/bytes/byte_ops.h"

namespace burin {

// `operands`: two bytes; `said`: how the kernel says these then. nullopt: the value is something
// else, or its constants move. Constants are appended.
std::optional<SaidByteOp> find_product_op(const Expr& value, const std::vector<Expr>& operands,
                                          const std::map<Expr, Expr>& said, const Kernel& kernel,
                                          std::vector<Value>& values);

}  // namespace burin

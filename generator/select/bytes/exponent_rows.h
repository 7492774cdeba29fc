// Rows of bytes that are shares of exponents of a row of bytes (softmax).
//
// The kernel says type.sat(round(exp(g(x) - M) / S * scales) + zero), where g is made of one byte
// and constants and rises with it, M is its greatest and S the sum of the exponents. Then M is g of
// the greatest byte m, and what exp gives hardly depends on more than m - x: of all pairs of bytes
// the interpreter says how far it strays from a table of 256 in fixed point. So S is a sum of table
// entries, and the byte a table of m - x that is made for each row by a line; both are right to a
// part that is known. Entries nearer to the end of a byte than that are marked; rows that have one
// of them are computed by floats.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt: the kernel is something else, or the description lacks a row. Constants are appended.
std::optional<LoopPlan> schedule_exponent_rows(const Kernel& kernel, std::vector<Value>& values,
                                               const Hardware& hardware);

}  // namespace burin

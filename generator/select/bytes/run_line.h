// The line of one byte whose factors are known only as the tree runs: rows that are normalised.
//
// The kernel says type.sat(round(g(x)) + zero), where g is made of conversions of one byte x to
// f32, sums, products and quotients with numbers in f32 that do not move along the row (its mean,
// its deviation). In real numbers g is A x + B; every operation in f32 strays by half a unit in the
// last place of no more than `most`, the greatest magnitude on the way, and so do those that
// compute A and B. So A x + B is right to `roundings` of them, as is what the rows of
// isa/byte_rows.h make of it in fixed point.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

struct RunLine {
  Expr factor, offset, most;  // f32, over the kernel's axes and lets; the zero point is in `offset`
  Expr most_of_value;         // the same without the zero point
  Expr least_most;            // the least `most` on the way: far below it, units are no smaller
  int roundings = 0;
  int least = 0, greatest = 0;  // of the byte
};

// Bits of a position below its byte; and where `most` reaches this, 32 bits do not hold it.
inline constexpr int kRunLineFraction = 18;
inline constexpr double kRunLineMost = 4000, kRunLineLeastMost = 0x1p-100;

// `byte`: the load of x, a u8 or i8, or an expression in f32 between 0 and 1. nullopt: the value is
// something else.
std::optional<RunLine> run_line_of(const Expr& value, const Expr& byte);

// How far from the end of a byte positions are in doubt, i32, from `most`, f32 and below
// kRunLineMost.
Expr run_line_reach(const RunLine& line, const Expr& most);

}  // namespace burin

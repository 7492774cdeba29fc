// What follows a sum of products, as a line: bytes of a sum without floats.
//
// The kernel says f(s) = type.sat(round(g(s)) + zero), where g is made of conversions to f32,
// products, quotients, sums and limits with constants. In real numbers g is a line, as long as its
// factors are positive; in floats each operation rounds. Both are monotone. So where the line is
// further from a multiple of one (half of one, before `round`) than all roundings together reach,
// the byte is that of the line, exactly; elsewhere the row of isa/requantise_rows.h says that it
// does not know, and the float form decides. That far reach the roundings, of half a unit in the
// last place each at the largest number that still is a byte, and those of the line itself: of its
// factor, of its product, which is rounded down, and of its offset, which is known.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct SumLines {
  Type type = Type::none;        // of the bytes
  std::vector<int> axes;         // of the kernel: there is one line for each of their points
  std::vector<int32_t> parts;    // isa::kLineParts for each
  std::vector<int64_t> extents;  // of the axes
  // Least and greatest sum of each point, where sums beyond would leave 32 bits on the way: bytes
  // of those are the ends of their range as well. Empty: there is no need.
  std::vector<int32_t> limits;
};

using IsSum = std::function<bool(const ExprNode&)>;
inline IsSum is_let(int let) {
  return [let](const ExprNode& node) {
    return node.kind == ExprKind::let && node.id == let && node.type == Type::i32;
  };
}
// Of a value over axes of the kernel, in which one node in i32 is the sum; constants move with
// `axes` only. `bounds`: of each point, what the sum's magnitude does not pass. `along`: so many
// points at a time are lanes of vectors, which differ in factor and offset only. nullopt: it is no
// such value, or a line of 32 bits does not hold it.
std::optional<SumLines> find_lines(const Expr& value, const Kernel& kernel, const IsSum& is_sum,
                                   const std::vector<int>& axes, const std::vector<int64_t>& bounds,
                                   const std::vector<Value>& values, size_t along = 1);
// Whether bytes have the limits of their type only.
bool has_no_limits(const SumLines& lines);

// The same of a number in f32 that arrives: a position has isa::kLineFraction bits below a byte.
struct FloatLine {
  Type type = Type::none;
  float scale = 0;  // positions of a unit of the number
  int32_t offset = 0, reach = 0, least = 0, greatest = 0;
};
// `number`: a load in the value, which otherwise has constants that move with `axes` only; a line
// for each of their points. Empty: it is no such value.
std::vector<FloatLine> find_float_lines(const Expr& value, const Expr& number, const Kernel& kernel,
                                        const std::vector<int>& axes,
                                        const std::vector<Value>& values);

// The same of a product of two factors in f32, which is `step` times a whole number of at most
// `bound`, but for `roundings` of half a unit: isa::kLineParts. nullopt: it is no such value.
std::optional<std::vector<int32_t>> find_product_line(const Expr& value, const Expr& product,
                                                      double step, int64_t bound, int roundings,
                                                      const Kernel& kernel,
                                                      const std::vector<Value>& values);

}  // namespace burin

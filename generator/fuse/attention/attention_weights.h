// The weights of attention as find_attention knows them: e / z, or 0 where that is NaN. Others are
// brought to that:
//
//   guards       whatever gives each weight back, and NaN or 0 for NaN: nan_to_num, w != w ? 0 : w
//   conversions  to types that have each weight, and back; to fp16 where `fp16` says so
//                and the result is stored in no finer ones, so that its own rounding is as large
//   flash        (sum of e * V) / z
//
// A guard is told by what it computes in each of three cases: w is NaN in a row that is masked
// everywhere, NaN in another, from 0 to 1. No weight is greater: of a row's exponents relative to
// its greatest score the largest is 1, and the total has it. So conversions to fp16 stay
// finite.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// The kernel, without maps, where its weights have been brought to the form; nullopt where they
// are none, or otherwise. O(size of the kernel).
std::optional<Kernel> with_plain_weights(const Kernel& kernel, const std::vector<Value>& values,
                                         bool fp16);

// Whether a let is read at the reader's own point, but for axes that may be anywhere.
bool at_own_point(const ExprNode& node, const Kernel& kernel, const std::vector<int>& anywhere);
bool is_let(const Expr& expr, int let, const Kernel& kernel);

// A number, also one that a constant of the model holds.
std::optional<double> number_of(const Expr& expr, const std::vector<Value>& values);

// m == -infinity, where m is a let.
bool is_masked_row(const Expr& expr, int greatest, const Kernel& kernel,
                   const std::vector<Value>& values);

// x / z, x * (1 / z), where z is a let. The x of it.
std::optional<Expr> normalized(const Expr& expr, int total, const Kernel& kernel,
                               const std::vector<Value>& values);

}  // namespace burin

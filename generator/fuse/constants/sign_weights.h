// Constant factors that are signs times scales: a bit for each sign, 32 of them in a word.
#pragma once

#include <optional>
#include <vector>

#include "fuse/constants/small_values.h"
#include "kernel/kernel.h"
#include "kernel/sign_sums.h"

namespace burin {

// A reduced axis whose points are bits of words: the place within one dimension of a tensor.
struct SignAxis {
  int axis = -1;  // of the kernel
  int dim = -1;   // of the tensor
  int64_t extent = 0;
};

struct KnownSigns {
  Expr other;  // a load of words, over the axes of the kernel; `axis` counts words
  Expr scale;  // over axes of the result; empty: 1
};

// The factor of a kernel's only sum, where it is made of constants and all of its numbers along the
// reduced axes have one magnitude, which is not 0. Appends constants to `values`.
std::optional<KnownSigns> known_signs(const Kernel& kernel, const Expr& factor,
                                      const SignAxis& bits, const SmallValues& made,
                                      std::vector<Value>& values);

}  // namespace burin

// The counted bits of a kernel: sums of ones in present & (negative ^ other), and of ones in
// `present` alone (fuse/constants/signs.h).
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct BitSum {
  int negatives = 0;              // the let
  int ones = -1;                  // ... that counts what is present; -1: nobody asks
  Expr present, negative, other;  // words: u32
  // Axes of the result in both factors, in the first one only, in `other` only.
  std::vector<int> batch, own, others;
  std::vector<int> reduced;
  int column = -1;  // contiguous in the result
};

// nullopt: the kernel has no points, other lets, several writes, or no axis along which results lie
// side by side.
std::optional<BitSum> find_bit_sum(const Kernel& kernel, const std::vector<Value>& values);

}  // namespace burin

// Constant factors of integer products: their numbers, and how they are packed for tiles.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"

namespace burin {

// The numbers of a factor over some of its kernel's axes, row-major in their order; of bf16 the
// bits that are stored.
struct FactorNumbers {
  std::vector<int64_t> extents;
  std::vector<int32_t> numbers;
  int32_t least = 0, greatest = 0;
  int64_t stride(size_t axis) const;  // in elements
};

// `factor`: of type i32 or loads of bf16, of constants and numbers only, over `axes` of the kernel.
// Loads at affine addresses are read natively, since they are the weights of a model; everything
// else goes through the interpreter.
FactorNumbers numbers_of(const Expr& factor, const Kernel& kernel, const std::vector<int>& axes,
                         const std::vector<Value>& values);

// What is subtracted from the numbers so that they fit a type of 8 or 16 bits (nothing from bits of
// floats); nullopt: their range is too wide.
std::optional<int32_t> offset_for(const FactorNumbers& factor, Type type);

// Panels: [outer][lanes / width][depth][groups][width][group], each number minus `offset` as a
// `type`; 0 where there is none. The axes of the factor are, in order, `outers` axes, then those
// that the lanes run over, then `depths` that are reduced, of which number `grouped` is cut into
// groups.
struct PanelShape {
  size_t outers = 0, lanes = 0, depths = 0;
  size_t grouped = 0;  // among the reduced ones
  int width = 1, group = 1;
  int64_t groups = 0;  // at least as many as there are numbers for; what is more is 0
  // Sums of products begin with what is taken off: then it is taken off where there is no number,
  // too, and sums are of the numbers as they were.
  bool begins = false;
};
struct Panels {
  std::vector<int64_t> shape;  // of the value: outers, blocks, depths but the grouped one, groups,
                               // width, group
  Constant bytes;
  Constant sums;  // i32, [outer][lanes]: of each lane's numbers, minus the offset
};
// Sums that a kernel may ask for, and where the one of its point is.
struct PackedSums {
  std::vector<int64_t> shape;
  Constant bytes;
  std::vector<Index> place;
};
Panels pack_panels(const FactorNumbers& factor, const PanelShape& shape, int32_t offset, Type type);

}  // namespace burin

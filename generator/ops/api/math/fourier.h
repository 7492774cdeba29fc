// Discrete Fourier transforms from their definition: O(n) operations per output. Waves are a table
// of constants where their sizes are known: the transform is then a product with a matrix.
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"

namespace burin {

// A complex number; `imaginary` is empty where it is zero.
struct Complex {
  Expr real, imaginary;
};

struct Transform {
  Dim length;            // samples, and bins of a whole turn
  bool inverse = false;  // then divided by the length
  // Bin and sample t of the row at the leading dimensions of the output, all but the last.
  std::function<Index(const Indices& at)> bin;
  Dim bins;  // none is at or above; where it depends on the run, there is no matrix
  std::function<Complex(const Indices& at, const Index& t)> sample;
};

// y[at, 0 and 1]: real and imaginary part of the sum over t of sample(t) exp(-2 pi i bin t /
// length), or with + where it is inverse.
void emit_transform(OpContext& op, const Operand& y, const Transform& transform);

}  // namespace burin

// Discrete Fourier transforms from their definition: O(n) operations per output.
#pragma once

#include <functional>

#include "ops/api/op_context.h"

namespace burin {

// A complex number; `imaginary` is empty where it is zero.
struct Complex {
  Expr real, imaginary;
};

// sum over t of x(t) * exp(-2 pi i * k * t / length), or with + where `inverse` (not divided).
Complex transform(KernelBuilder& kernel, const Index& k, const Dim& length, bool inverse,
                  const std::function<Complex(const Index& t)>& x);

}  // namespace burin

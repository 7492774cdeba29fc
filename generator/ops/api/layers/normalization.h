// Normalisation by moments: (x - mean) / sqrt(variance + epsilon) over a row, in two passes.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

struct Moments {
  Expr mean, variance;  // population variance
};

// Of `element` over the axes `row`, which have `count` points.
Moments moments_of(KernelBuilder& kernel, const Indices& row, const Expr& element,
                   const Dim& count);

// The mean of `element` over `row`.
Expr mean_of(KernelBuilder& kernel, const Indices& row, const Expr& element, const Dim& count);

// 1 / sqrt(x + epsilon)
Expr inverse_root(const Expr& x, double epsilon);

// The compute type that stash_type asks for; at least f32 unless it is given.
Type stash_type(const OpContext& op);

}  // namespace burin

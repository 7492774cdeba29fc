// Random numbers: a counter-based generator. Number k of a node is a mix of k and the node's key
// (SplitMix64: a Weyl sequence and a finaliser of two multiplications), so that every element is
// computed by itself, in any order, and a run gives the same numbers each time.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// The key of a node: its attribute `seed` (a number of either kind), or its name and place in the
// graph without one.
uint64_t random_key(const OpContext& op);

// Uniform in [0, 1) with 24 bits, f32, and the same with 53 bits, f64. `stream` tells draws of one
// element apart.
Expr random_uniform(Type compute, uint64_t key, const Expr& element, uint64_t stream = 0);

// Normal with mean 0 and deviation 1 (Box and Muller).
Expr random_normal(Type compute, uint64_t key, const Expr& element);

// The number of the element at `at` in a tensor of `shape`, row-major, u64.
Expr element_number(const Indices& at, const Shape& shape);

// The element type of a random output: attribute `dtype`, or `otherwise`. Floats only.
Type random_type(const OpContext& op, Type otherwise);

// Output 0 of `shape`: uniform between attributes low and high, or normal with mean and scale.
void map_random(OpContext& op, Type type, const Shape& shape, bool normal);

}  // namespace burin

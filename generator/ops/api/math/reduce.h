// Reductions along axes: ReduceSum and its relatives.
//
// axes are an attribute in older opsets and an input in newer ones (ReduceSum since 13, the others
// since 18); none means all of them, or none at all with noop_with_empty_axes. keepdims is 1 unless
// given.
#pragma once

#include <functional>
#include <string>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// What a reduction computes, given its kernel. `element` is the input at the current point, `row`
// the axes to reduce, `count` the number of reduced elements. Returns the result (of the input's
// compute type) as an expression without the axes in `row`.
struct Reduction {
  KernelBuilder& kernel;
  const Indices& row;
  Expr element;
  Dim count;

  Expr reduce(Combiner op, const Expr& body) const { return kernel.reduce(op, row, body); }
  Expr sum(const Expr& body) const { return reduce(Combiner::sum, body); }
};

void map_reduction(OpContext& op, const std::function<Expr(const Reduction&)>& f);

// An integer as f64, a float as it is: what a logarithm or root of a reduction is computed in.
Expr as_real(const Expr& x);

// axes_input: the opset from which on axes are an input.
OpDef reduce_op(std::string name, TypeSet types, void (*lower)(OpContext&), int axes_input = 18);

}  // namespace burin

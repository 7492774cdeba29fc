// Reverse-mode differentiation of what has been lowered: of kernels, so no operator has a rule of
// its own.
#pragma once

#include <string>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// What an operator that is about its own graph may ask (generator/lower).
class GraphContext {
 public:
  virtual ~GraphContext() = default;
  // Lowers once more what computes the tensor `output` of the node's block from those named
  // `inputs`, for which `arguments` stand. Refused (graph): a name that the block does not have.
  virtual Operand recompute(const std::vector<std::string>& inputs,
                            const std::vector<Operand>& arguments, const std::string& output) = 0;
  // A tensor that a kernel reads or writes.
  virtual Operand tensor(ValueId id) const = 0;
};
GraphContext& graph_of(OpContext& op);

// The derivatives of the sum of y's elements by each of `xs`, which `steps` compute y from. Each is
// of the compute type of its x, and emitted. Every kernel of `steps` is walked backwards, its
// last result first: where it reads x[p(i)], the derivative by x[j] is the sum over all points i
// with p(i) = j. Refused (unsupported-operator): steps that are no kernels without state, such as a
// loop, on the way from xs to y.
std::vector<Operand> gradients(OpContext& op, const Steps& steps, const Operand& y,
                               const std::vector<Operand>& xs);

}  // namespace burin

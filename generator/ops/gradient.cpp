// Gradient (ai.onnx.preview.training): the derivatives of a tensor of the graph, summed over its
// elements, by some that it is computed from. The inputs say at which values: the graph between
// `xs` and `zs` and `y` is computed once more from them, then walked backwards.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/gradients.h"
#include "support/diagnostics.h"

namespace burin::gradient_op {
namespace {

void lower(OpContext& op) {
  const std::vector<std::string> xs = op.texts("xs", {});
  std::vector<std::string> names = xs;
  for (const std::string& z : op.texts("zs", {})) names.push_back(z);
  if (static_cast<int>(names.size()) != op.input_count()) {
    refuse("arity", "xs and zs name " + std::to_string(names.size()) + " tensors, the node has " +
                        std::to_string(op.input_count()) + " inputs");
  }
  if (static_cast<int>(xs.size()) != op.output_count()) {
    refuse("arity", "xs names " + std::to_string(xs.size()) + " tensors, the node has " +
                        std::to_string(op.output_count()) + " outputs");
  }
  std::vector<Operand> values;
  for (int i = 0; i < op.input_count(); ++i) {
    const Operand given = op.input(i);
    if (i < static_cast<int>(xs.size()) && !is_float(given.type()))
      refuse("unsupported-type", quoted(names[static_cast<size_t>(i)]) + " holds integers");
    // A tensor of its own: one may be given twice, and nothing of what follows is folded away.
    values.push_back(op.temporary("at_" + std::to_string(i), given.type(), given.shape()));
    op.map(values.back(), [&](const Indices& at) { return given.at(at); });
  }
  Operand y;
  Steps steps;
  op.collect(steps, [&] { y = graph_of(op).recompute(names, values, op.text("y", "")); });
  if (!is_float(y.type())) refuse("unsupported-type", "y holds integers");
  for (const Step& step : steps) op.emit(step);
  const std::vector<Operand> by(values.begin(),
                                values.begin() + static_cast<std::ptrdiff_t>(xs.size()));
  const std::vector<Operand> results = gradients(op, steps, y, by);
  for (int i = 0; i < op.output_count(); ++i) {
    const Operand& result = results[static_cast<size_t>(i)];
    if (!op.has_output(i)) continue;
    const Operand out = op.output(i, by[static_cast<size_t>(i)].type(), result.shape());
    op.map(out, [&](const Indices& at) { return result.at(at); });
  }
}

}  // namespace

OpDef definition() {
  return {.name = "Gradient",
          .domain = "ai.onnx.preview.training",
          .until = 1,
          .inputs = {{"Inputs", types::all, Arity::variadic}},
          .outputs = {{"Outputs", types::floats, Arity::variadic}},
          .attributes = {{"xs", AttributeKind::texts, true},
                         {"y", AttributeKind::text, true},
                         {"zs", AttributeKind::texts}},
          .lower = lower,
          .note = "of kernels without state; not through If, Loop, Scan and procedures"};
}

}  // namespace burin::gradient_op

// CumSum: running sums along an axis, in one pass over it: s[t] = s[t - 1] + x[t]. exclusive leaves
// out the element itself, reverse runs from the end. The axis is an input that must be known while
// generating. Since opset 11.
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

int known_axis(OpContext& op, int rank) {
  const std::optional<std::vector<Dim>> known = op.known(1);
  if (!known || known->size() != 1 || !(*known)[0].is_constant())
    refuse("dynamic-shape", "the axis is not a number that is known before the run",
           "make it a constant of the model");
  return normalize_axis((*known)[0].constant(), rank);
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int axis = known_axis(op, x.rank());
  const size_t along = static_cast<size_t>(axis);
  const bool exclusive = op.integer("exclusive", 0) != 0, reverse = op.integer("reverse", 0) != 0;
  const Operand y = op.output(0, x.type(), x.shape());

  KernelBuilder kernel;
  Indices at;
  for (int d = 0; d < x.rank(); ++d)
    at.push_back(kernel.axis(x.dim(d), {}, d == axis ? AxisKind::sequential : AxisKind::parallel));
  const Index step = at[along];
  const auto point = [&](const Index& t) {
    Indices from = at;
    from[along] = reverse ? x.dim(axis) - 1 - t : t;
    return from;
  };
  if (step.is_constant()) {  // one element
    kernel.write(y, at, exclusive ? x.zero() : x.at(at));
    return op.emit(kernel);
  }
  // The state one step back: the let over the same axes, at t - 1.
  Indices state;
  for (const Index& index : at) {
    if (index.is_constant()) continue;
    state.push_back(index == step ? step - 1 : index);
  }
  const Expr before = Expr::let(kernel.next_let(), x.compute(), state);
  const Expr next = before + x.at(point(exclusive ? step - 1 : step));
  const Expr sum = kernel.let(at, Expr::cases({{{{step, 1, x.dim(axis)}}, next}},
                                              exclusive ? x.zero() : x.at(point(step))));
  kernel.write(y, point(step), sum);
  op.emit(kernel);
}

}  // namespace

OpDef op_cum_sum() {
  return {
      .name = "CumSum",
      .since = 11,
      .inputs = {{"x", types::floats | types::indices | only(Type::u32) | only(Type::u64)},
                 {"axis", types::indices}},
      .outputs = {{"y"}},
      .attributes = {{"exclusive", AttributeKind::integer}, {"reverse", AttributeKind::integer}},
      .lower = lower};
}

}  // namespace burin

#include "ops/api/math/running.h"

#include "ops/api/core/region.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower_along(OpContext& op, const Operand& y, int axis, const Expr& none, Binary combine) {
  const Operand x = op.input(0);
  const size_t along = static_cast<size_t>(axis);
  const bool exclusive = op.integer("exclusive", 0) != 0, reverse = op.integer("reverse", 0) != 0;

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
    kernel.write(y, at, exclusive ? none : x.at(at));
    return op.emit(kernel);
  }
  // The state one step back: the let over the same axes, at t - 1.
  Indices state;
  for (const Index& index : at) {
    if (index.is_constant()) continue;
    state.push_back(index == step ? step - 1 : index);
  }
  const Expr before = Expr::let(kernel.next_let(), x.compute(), state);
  const Expr next = Expr::binary(combine, before, x.at(point(exclusive ? step - 1 : step)));
  const Expr result = kernel.let(
      at, Expr::cases({{{{step, 1, x.dim(axis)}}, next}}, exclusive ? none : x.at(point(step))));
  kernel.write(y, point(step), result);
  op.emit(kernel);
}

}  // namespace

void lower_running(OpContext& op, Binary combine, int64_t neutral) {
  const Operand x = op.input(0);
  const int rank = x.rank();
  op.require_equal(product(op.input(1).shape()), 1, "elements of axis");
  const Operand y = op.output(0, x.type(), x.shape());
  const Expr none = x.constant(neutral);
  const Dim axis = op.elements(1, {-rank, rank - 1})[0];
  if (axis.is_constant() || rank == 0)
    return lower_along(op, y, normalize_axis(axis.is_constant() ? axis.constant() : 0, rank), none,
                       combine);
  op.require({{axis, -rank, rank}}, "axis");
  const Expr chosen = Expr::index(mod(axis, rank));
  Steps steps = collected(op, [&] { lower_along(op, y, rank - 1, none, combine); });
  for (int d = rank - 1; d-- > 0;) {
    auto branch = std::make_shared<If>();
    const Operand here = op.temporary("along" + std::to_string(d), Type::boolean, {});
    op.map(here, [&](const Indices&) {
      return compare(Binary::eq, chosen, Expr::constant(Type::i64, d));
    });
    branch->condition = here.scalar();
    branch->then_steps = collected(op, [&] { lower_along(op, y, d, none, combine); });
    branch->else_steps = std::move(steps);
    steps = {Step(std::move(branch))};
  }
  for (Step& step : steps) op.emit(std::move(step));
}

OpDef running_op(std::string name, int since, void (*lower)(OpContext&)) {
  return {
      .name = std::move(name),
      .since = since,
      .inputs = {{"x", types::floats | types::indices | only(Type::u32) | only(Type::u64)},
                 {"axis", types::indices}},
      .outputs = {{"y"}},
      .attributes = {{"exclusive", AttributeKind::integer}, {"reverse", AttributeKind::integer}},
      .lower = lower};
}

}  // namespace burin

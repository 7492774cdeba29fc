#include "ops/api/math/pool.h"

#include <limits>

#include "support/diagnostics.h"

namespace burin {

void map_pool(OpContext& op,
              const std::function<void(const Pool&, const Operand&, const Indices&)>& f,
              bool channels_last) {
  const Operand x = channels_last ? with_channels_first(op, op.input(0)) : op.input(0);
  const Shape input = spatial_shape(x);
  const Window window =
      window_of(op, input, kernel_shape(op, input.size()),
                op.integer("ceil_mode", 0) != 0 ? Places::up : Places::towards_zero);
  Shape shape = {x.dim(0), x.dim(1)};
  for (const WindowAxis& axis : window.axes) shape.push_back(axis.output);
  const Operand y = op.output(0, x.type(), channels_last ? with_channels_last(shape) : shape);

  KernelBuilder kernel;
  const Indices to = kernel.axes(shape);
  const Indices o(to.begin() + 2, to.end());
  Indices taps;
  for (const WindowAxis& axis : window.axes) taps.push_back(kernel.reduce_axis(axis.size, "tap"));
  const Indices place = window.at(o, taps);
  Indices from = {to[0], to[1]};
  from.insert(from.end(), place.begin(), place.end());
  f({kernel, x, window, o, taps, from, window.inside(place)}, y,
    channels_last ? with_channels_last(to) : to);
  op.emit(kernel);
}

void map_channels(OpContext& op, const std::function<Expr(const Channel&)>& f) {
  const Operand x = op.input(0);
  const Shape spatial = spatial_shape(x);
  Shape shape = {x.dim(0), x.dim(1)};
  shape.resize(static_cast<size_t>(x.rank()), Dim(1));
  const Operand y = op.output(0, x.type(), shape);
  KernelBuilder kernel;
  Indices at = kernel.axes(shape), row;
  const Indices to = at;
  for (size_t d = 0; d < spatial.size(); ++d) {
    row.push_back(kernel.reduce_axis(spatial[d]));
    at[d + 2] = row.back();
  }
  kernel.write(y, to, f({kernel, row, x.at(at), product(spatial)}));
  op.emit(kernel);
}

OpDef global_pool_op(std::string name, TypeSet types, void (*lower)(OpContext&)) {
  return {.name = std::move(name), .inputs = {{"X", types}}, .outputs = {{"Y"}}, .lower = lower};
}

Expr p_norm(double order, const Expr& element, const std::function<Expr(const Expr&)>& sum) {
  if (order == 1) return sum(Expr::unary(Unary::abs, element));
  if (order == 2) return Expr::unary(Unary::sqrt, sum(element * element));
  const auto power = [](const Expr& base, double exponent) {
    return Expr::binary(Binary::pow, base, Expr::constant(base.type(), exponent));
  };
  return power(sum(power(Expr::unary(Unary::abs, element), order)), 1 / order);
}

double norm_order(const OpContext& op) {
  const double order = op.version() < 2 ? op.real("p", 2) : static_cast<double>(op.integer("p", 2));
  if (!(order >= 1 && order < 1e9)) refuse("bad-attribute", "p is " + std::to_string(order));
  return order;
}

std::vector<AttributeDef> norm_order_attributes() {
  return {{"p", AttributeKind::real, false, until(1)},
          {"p", AttributeKind::integer, false, since(2)}};
}

Expr lowest_of(Type compute) {
  if (is_float(compute)) return Expr::constant(compute, -std::numeric_limits<double>::infinity());
  return Expr::constant(compute, lowest(compute));
}

}  // namespace burin

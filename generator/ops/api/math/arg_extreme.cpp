#include "ops/api/math/arg_extreme.h"

#include "ops/api/movement/movement.h"

namespace burin {

void map_arg_extreme(OpContext& op, Combiner first, Combiner last) {
  const Operand x = op.input(0);
  const int axis = normalize_axis(op.integer("axis", 0), x.rank());
  const bool keep = op.integer("keepdims", 1) != 0;
  const bool select_last = op.integer("select_last_index", 0) != 0;

  KernelBuilder kernel;
  Indices at, to;
  Shape shape;
  for (int d = 0; d < x.rank(); ++d) {
    at.push_back(kernel.axis(x.dim(d), {}, d == axis ? AxisKind::reduce : AxisKind::parallel));
    if (d == axis && !keep) continue;
    to.push_back(d == axis ? Index(0) : at.back());
    shape.push_back(d == axis ? Dim(1) : x.dim(d));
  }
  const Index position = at[static_cast<size_t>(axis)];
  require_pickable(op, product(shape), x.dim(axis));
  const Operand y = op.output(0, Type::i64, shape);
  const std::vector<Expr> found = kernel.reduce_tuple(select_last ? last : first, {position},
                                                      {x.at(at), Expr::index(position)});
  kernel.write(y, to, found[1]);
  op.emit(kernel);
}

OpDef arg_extreme_op(std::string name, void (*lower)(OpContext&)) {
  return {.name = std::move(name),
          .inputs = {{"data", types::numeric}},
          .outputs = {{"reduced"}},
          .attributes = {{"axis", AttributeKind::integer},
                         {"keepdims", AttributeKind::integer},
                         {"select_last_index", AttributeKind::integer, false, since(12)}},
          .lower = lower};
}

}  // namespace burin

#include "ops/api/reduce.h"

#include <algorithm>

#include "ops/api/movement.h"
#include "support/diagnostics.h"

namespace burin {

void map_reduction(OpContext& op, const std::function<Expr(const Reduction&)>& f) {
  const Operand x = op.input(0);
  const auto given = constant_list(op, "axes", 1);
  const bool keep = op.integer("keepdims", 1) != 0;
  std::vector<bool> reduced(static_cast<size_t>(x.rank()));
  if (given && !given->empty()) {
    for (const int axis : normalize_axes(*given, x.rank()))
      reduced[static_cast<size_t>(axis)] = true;
  } else if (op.integer("noop_with_empty_axes", 0) == 0) {
    reduced.assign(reduced.size(), true);
  }

  KernelBuilder kernel;
  Indices at, row, to;
  Shape shape;
  Dim count = 1;
  for (int d = 0; d < x.rank(); ++d) {
    at.push_back(kernel.axis(
        x.dim(d), {}, reduced[static_cast<size_t>(d)] ? AxisKind::reduce : AxisKind::parallel));
    if (reduced[static_cast<size_t>(d)]) {
      row.push_back(at.back());
      count = count * x.dim(d);
      if (keep) {
        shape.emplace_back(1);
        to.emplace_back(0);
      }
    } else {
      shape.push_back(x.dim(d));
      to.push_back(at.back());
    }
  }
  const Operand y = op.output(0, x.type(), shape);
  kernel.write(y, to, f({kernel, row, x.at(at), count}));
  op.emit(kernel);
}

Expr as_real(const Expr& x) { return is_float(x.type()) ? x : Expr::cast(Type::f64, x); }

OpDef reduce_op(std::string name, TypeSet types, void (*lower)(OpContext&), int axes_input) {
  return {
      .name = std::move(name),
      .inputs = {{"data", types}, {"axes", types::i64, Arity::optional, since(axes_input)}},
      .outputs = {{"reduced"}},
      .attributes = {{"axes", AttributeKind::integers, false, until(axes_input - 1)},
                     {"keepdims", AttributeKind::integer},
                     {"noop_with_empty_axes", AttributeKind::integer, false, since(axes_input)}},
      .lower = lower};
}

}  // namespace burin

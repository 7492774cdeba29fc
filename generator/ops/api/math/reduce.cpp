#include "ops/api/math/reduce.h"

#include <algorithm>

#include "ops/api/movement/dynamic_axes.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin {

namespace {

// A dimension has what is left of it, and what is reduced: its extent and 1, or 1 and its extent.
// Where it is dynamic which, both are expressions over its mark.
struct Parted {
  Dim kept, reduced;
};

std::vector<Parted> parted(OpContext& op, const Operand& x, std::vector<Dim>* marks) {
  const std::optional<DynamicAxes> run = dynamic_axes(op, 1, x.rank());
  std::vector<Parted> out;
  if (run && run->count > 0) {
    *marks = marked(op, *run, x.rank());
    for (int d = 0; d < x.rank(); ++d) {
      const Dim more = (*marks)[static_cast<size_t>(d)] * (x.dim(d) - 1);
      out.push_back({x.dim(d) - more, more + 1});
    }
    return out;
  }
  const auto given = run ? std::optional(std::vector<int64_t>()) : constant_list(op, "axes", 1);
  std::vector<bool> reduced(static_cast<size_t>(x.rank()));
  if (given && !given->empty()) {
    for (const int axis : normalize_axes(*given, x.rank()))
      reduced[static_cast<size_t>(axis)] = true;
  } else if (op.integer("noop_with_empty_axes", 0) == 0) {
    reduced.assign(reduced.size(), true);
  }
  for (int d = 0; d < x.rank(); ++d) {
    const bool all = reduced[static_cast<size_t>(d)];
    marks->push_back(all ? 1 : 0);
    out.push_back({all ? Dim(1) : x.dim(d), all ? x.dim(d) : Dim(1)});
  }
  return out;
}

}  // namespace

void map_reduction(OpContext& op, const std::function<Expr(const Reduction&)>& f) {
  const Operand x = op.input(0);
  const bool keep = op.integer("keepdims", 1) != 0;
  std::vector<Dim> marks;
  const std::vector<Parted> parts = parted(op, x, &marks);
  KernelBuilder kernel;
  Indices at, row, to;
  Shape shape;
  Dim count = 1;
  bool of_run = false;
  for (size_t d = 0; d < parts.size(); ++d) {
    const Index left = kernel.axis(parts[d].kept);
    const Index along = kernel.axis(parts[d].reduced, {}, AxisKind::reduce);
    at.push_back(left + along);
    count = count * parts[d].reduced;
    if (!along.is_constant() || marks[d].is_constant(1)) row.push_back(along);
    of_run = of_run || !marks[d].is_constant();
    if (!keep && marks[d].is_constant(1)) continue;
    shape.push_back(parts[d].kept);
    to.push_back(left);
  }
  // Which dimensions go is the run's to say: they go from a result that has them all.
  const bool reshapes = of_run && !keep;
  const Operand y =
      reshapes ? op.temporary("kept", x.type(), shape) : op.output(0, x.type(), shape);
  kernel.write(y, to, f({kernel, row, x.at(at), count}));
  op.emit(kernel);
  if (!reshapes) return;
  const Shape left = without_marked(op, x.shape(), marks, dynamic_axes(op, 1, x.rank())->count);
  op.require_equal(product(left), product(shape), "number of elements");
  map_reshape(op, y, left);
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

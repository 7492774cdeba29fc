#include "ops/api/layers/loss.h"

#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin {

void map_class_loss(OpContext& op, const Operand& x) {
  const Operand target = op.input(1);
  if (x.rank() < 2 || target.rank() != x.rank() - 1) {
    refuse("shape-mismatch", "input and target have shapes " + to_string(x.shape()) + " and " +
                                 to_string(target.shape()));
  }
  op.require_equal(x.dim(0), target.dim(0), "batch of input and target");
  for (int d = 1; d < target.rank(); ++d)
    op.require_equal(x.dim(d + 1), target.dim(d), "dimension of input and target");
  const bool weighted = op.has_input(2);
  if (weighted) {
    if (op.input(2).rank() != 1) refuse("shape-mismatch", "weight must have one dimension");
    op.require_equal(op.input(2).dim(0), x.dim(1), "number of weights");
  }
  const std::string reduction = op.text("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    refuse("bad-attribute", "reduction is " + quoted(reduction));
  const Operand y = op.output(0, x.type(), reduction == "none" ? target.shape() : Shape{});

  require_pickable(op, product(target.shape()), x.dim(1));
  KernelBuilder kernel;
  Indices at;
  for (const Dim& extent : target.shape()) {
    at.push_back(
        kernel.axis(extent, {}, reduction == "none" ? AxisKind::parallel : AxisKind::reduce));
  }
  const Expr label = target.at(at);
  const Index place = data_index(label, x.dim(1));
  Indices from = at;
  from.insert(from.begin() + 1, place);
  const Expr one = x.constant(1), zero = x.zero();
  Expr weight = weighted ? in_type(x.compute(), op.input(2).at({place})) : one;
  if (op.has("ignore_index")) {
    const Expr ignored = compare(Binary::eq, Expr::cast(Type::i64, label),
                                 Expr::constant(Type::i64, op.integer("ignore_index")));
    weight = Expr::select(ignored, zero, weight);
  }
  // A class of weight 0 counts nothing, not even where its log-probability is infinite.
  const Expr none = compare(Binary::eq, weight, zero);
  const Expr loss = Expr::select(none, zero, -x.at(from) * weight);
  if (reduction == "none") {
    kernel.write(y, at, loss);
  } else {
    const Expr sum = kernel.reduce(Combiner::sum, at, loss);
    if (reduction == "sum") {
      kernel.write(y, {}, sum);
    } else {
      kernel.write(y, {}, sum / kernel.reduce(Combiner::sum, at, weight));
    }
  }
  op.emit(kernel);
}

std::vector<AttributeDef> class_loss_attributes() {
  return {{"ignore_index", AttributeKind::integer}, {"reduction", AttributeKind::text}};
}

}  // namespace burin

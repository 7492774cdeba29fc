#include "ops/api/learning/ml.h"

#include "kernel/tensor.h"
#include "ops/api/core/branches.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kNewestMl = 5;

}  // namespace

OpDef ml_op(OpDef def) {
  def.domain = "ai.onnx.ml";
  def.until = kNewestMl;
  return def;
}

Operand attribute_list(OpContext& op, std::string_view attribute,
                       const std::vector<int64_t>& shape) {
  const std::vector<double> list = op.reals(attribute, {});
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  if (static_cast<int64_t>(list.size()) != count) {
    refuse("bad-attribute", "attribute " + burin::quoted(attribute) + " has " +
                                std::to_string(list.size()) + " elements, " +
                                std::to_string(count) + " are needed");
  }
  const HostTensor host = make_tensor(Type::f32, shape, list);
  return op.constant_operand(attribute, {host.type, host.shape, to_constant(host), {}});
}

Expr as_float(const Expr& x) { return x.type() == Type::f64 ? x : Expr::cast(Type::f32, x); }

Expr Features::at(const Index& row, const Index& column) const {
  return x.rank() == 1 ? x.at({column}) : x.at({row, column});
}

Features features_of(OpContext& op, int input) {
  const Operand x = op.input(input);
  if (x.rank() != 1 && x.rank() != 2)
    refuse("shape-mismatch",
           "X has shape " + to_string(x.shape()) + "; it must be rows of features");
  return {x, x.rank() == 1 ? Dim(1) : x.dim(0), x.dim(-1)};
}

Operand linear_scores(OpContext& op, const Features& x, int64_t targets, const Operand& to) {
  const auto count = static_cast<int64_t>(op.reals("coefficients", {}).size());
  if (targets < 1 || count % targets != 0) {
    refuse("bad-attribute", std::to_string(count) + " coefficients are not rows for " +
                                std::to_string(targets) + " targets");
  }
  int64_t features = count / targets;
  // onnxruntime reads as many as there are features, and leaves what is over.
  if (x.columns.is_constant() && x.columns.constant() < features) {
    features = x.columns.constant();
    branches_of(op).warn("bad-attribute", std::to_string(count - targets * features) + " of " +
                                              std::to_string(count) +
                                              " coefficients are left over");
  }
  op.require_equal(x.columns, features, "features and coefficients of a target");
  std::vector<double> used = op.reals("coefficients", {});
  used.resize(static_cast<size_t>(targets * features));
  const HostTensor table = make_tensor(Type::f32, {targets, features}, used);
  const Operand weights =
      op.constant_operand("coefficients", {table.type, table.shape, to_constant(table), {}});
  const bool shifts = !op.reals("intercepts", {}).empty();
  const Operand shift = shifts ? attribute_list(op, "intercepts", {targets}) : Operand();
  KernelBuilder kernel;
  const Index row = kernel.axis(x.rows), target = kernel.axis(targets),
              k = kernel.reduce_axis(features);
  const Expr sum = kernel.reduce(Combiner::sum, {k},
                                 Expr::cast(Type::f32, x.at(row, k)) * weights.at({target, k}));
  kernel.write(to, {row, target}, shifts ? sum + shift.at({target}) : sum);
  op.emit(kernel);
  return to;
}

}  // namespace burin

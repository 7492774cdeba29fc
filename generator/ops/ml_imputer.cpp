// ai.onnx.ml Imputer: elements that are one number, or no number, become another one: the same for
// all, or one for each feature.
#include <cmath>

#include "kernel/tensor.h"
#include "ops/api/learning/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_imputer_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 1) refuse("shape-mismatch", "X is a scalar");
  const bool floats = is_float(x.type());
  const std::string values = floats ? "imputed_value_floats" : "imputed_value_int64s";
  HostTensor host;
  if (floats) {
    const std::vector<double> list = op.reals(values, {});
    host = make_tensor(Type::f32, {static_cast<int64_t>(list.size())}, list);
  } else {
    const std::vector<int64_t> list = op.integers(values, {});
    host = make_tensor(Type::i64, {static_cast<int64_t>(list.size())}, list);
  }
  if (host.elements() == 0) refuse("bad-attribute", values + " is missing");
  if (host.elements() != 1)
    op.require_equal(x.dim(-1), host.elements(),
                     "features and elements of " + burin::quoted(values));
  const Operand list =
      op.constant_operand("imputed", {host.type, host.shape, to_constant(host), {}});
  const double number = floats ? op.real_or_nan("replaced_value_float", 0) : 0;
  const int64_t integer = floats ? 0 : op.integer("replaced_value_int64", 0);
  op.map(op.output(0, x.type(), x.shape()), [&](const Indices& at) {
    const Expr element = x.at(at);
    Expr replaced;
    if (!floats) {
      replaced = compare(Binary::eq, element, x.constant(integer));
    } else if (std::isnan(number)) {
      replaced = Expr::unary(Unary::is_nan, element);
    } else {
      replaced = compare(Binary::eq, element, x.constant(number));
    }
    return Expr::select(replaced, Expr::cast(x.compute(), list.broadcast_at({at.back()})), element);
  });
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "Imputer",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = {{"imputed_value_floats", AttributeKind::reals},
                               {"imputed_value_int64s", AttributeKind::integers},
                               {"replaced_value_float", AttributeKind::real},
                               {"replaced_value_int64", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ml_imputer_op

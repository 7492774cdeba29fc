// ai.onnx.ml ArrayFeatureExtractor: the features of X, along its last dimension, that Y names. A
// single row stays a row.
#include "ops/api/gather.h"
#include "ops/api/ml.h"
#include "ops/api/movement.h"
#include "support/diagnostics.h"

namespace burin::ml_array_feature_extractor_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), which = op.input(1);
  if (x.rank() < 1) refuse("shape-mismatch", "X is a scalar");
  if (which.rank() < 1) refuse("shape-mismatch", "Y is a scalar");
  for (int d = 0; d + 1 < which.rank(); ++d)
    op.require_equal(which.dim(d), 1, "leading dimension of Y");
  const auto index = index_reader(op, 1, x.dim(-1));
  Shape shape = x.shape();
  shape.back() = which.dim(-1);
  if (x.rank() == 1) shape.insert(shape.begin(), 1);
  require_pickable(op, product(shape), x.dim(-1));
  op.map(op.output(0, x.type(), shape), [&](const Indices& at) {
    Indices from = at, entry(static_cast<size_t>(which.rank()), Index(0));
    entry.back() = at.back();
    from.back() = index(entry);
    if (x.rank() == 1) from.erase(from.begin());
    return x.at(from);
  });
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "ArrayFeatureExtractor",
                .inputs = {{"X", types::features}, {"Y", types::i64}},
                .outputs = {{"Z"}},
                .lower = lower});
}

}  // namespace burin::ml_array_feature_extractor_op

// ai.onnx.ml ArrayFeatureExtractor: the features of X, along its last dimension, that all elements
// of Y name, whatever its shape. A single row stays a row.
#include "ops/api/learning/ml.h"
#include "ops/api/movement/gathering.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::ml_array_feature_extractor_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), which = op.input(1);
  if (x.rank() < 1) refuse("shape-mismatch", "X is a scalar");
  const auto index = index_reader(op, 1, x.dim(-1));
  Shape shape = x.shape();
  shape.back() = product(which.shape());
  if (x.rank() == 1) shape.insert(shape.begin(), 1);
  require_pickable(op, product(shape), x.dim(-1));
  op.map(op.output(0, x.type(), shape), [&](const Indices& at) {
    Indices from = at;
    from.back() = index(delinearize(at.back(), which.shape()));
    if (x.rank() == 1) from.erase(from.begin());
    return x.at(from);
  });
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "ArrayFeatureExtractor",
                .inputs = {{"X", types::features | types::string}, {"Y", types::i64}},
                .outputs = {{"Z"}},
                .lower = lower});
}

}  // namespace burin::ml_array_feature_extractor_op

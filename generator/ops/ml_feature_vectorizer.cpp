// ai.onnx.ml FeatureVectorizer: features of several inputs beside each other, as f32.
#include "ops/api/learning/ml.h"
#include "ops/api/movement/concatenate.h"
#include "support/diagnostics.h"

namespace burin::ml_feature_vectorizer_op {
namespace {

void lower(OpContext& op) {
  const std::vector<int64_t> sizes = op.integers("inputdimensions");
  if (static_cast<int>(sizes.size()) != op.input_count())
    refuse("bad-attribute", "inputdimensions has " + std::to_string(sizes.size()) +
                                " elements, there are " + std::to_string(op.input_count()) +
                                " inputs");
  std::vector<Operand> parts;
  for (int i = 0; i < op.input_count(); ++i) {
    const Features x = features_of(op, i);
    op.require_equal(x.columns, sizes[static_cast<size_t>(i)], "features of an input");
    parts.push_back(op.temporary("part" + std::to_string(i), Type::f32, {x.rows, x.columns}));
    op.map(parts.back(),
           [&](const Indices& at) { return Expr::cast(Type::f32, x.at(at[0], at[1])); });
  }
  map_concatenated(op, op.output(0, Type::f32, concatenated_shape(op, parts, 1)), parts, 1);
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "FeatureVectorizer",
                .inputs = {{"X", types::features, Arity::variadic}},
                .outputs = {{"Y"}},
                .attributes = {{"inputdimensions", AttributeKind::integers, true}},
                .lower = lower});
}

}  // namespace burin::ml_feature_vectorizer_op

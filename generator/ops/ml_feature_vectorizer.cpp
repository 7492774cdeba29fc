// ai.onnx.ml FeatureVectorizer: features of several inputs beside each other, as f32. Of each input
// as many as inputdimensions says: others are left out, missing ones are 0 (as onnxruntime has it).
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
    const int64_t taken = sizes[static_cast<size_t>(i)];
    if (taken < 1) refuse("bad-attribute", "inputdimensions has " + std::to_string(taken));
    parts.push_back(op.temporary("part" + std::to_string(i), Type::f32, {x.rows, taken}));
    op.map(parts.back(), [&](const Indices& at) {
      return Expr::cases({{{{at[1], 0, x.columns}}, Expr::cast(Type::f32, x.at(at[0], at[1]))}},
                         parts.back().zero());
    });
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

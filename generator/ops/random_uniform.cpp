// RandomUniform: numbers that are uniform between low and high, in the shape of an attribute. The
// same ones in each run, from the attribute seed or the place of the node
// (ops/api/layers/random.h).
#include "ops/api/core/op_def.h"
#include "ops/api/layers/random.h"
#include "support/diagnostics.h"

namespace burin::random_uniform_op {
namespace {

void lower(OpContext& op) {
  Shape shape;
  for (const int64_t extent : op.integers("shape")) {
    if (extent < 0) refuse("bad-attribute", "shape has the entry " + std::to_string(extent));
    shape.emplace_back(extent);
  }
  map_random(op, random_type(op, Type::f32), shape, false);
}

}  // namespace

OpDef definition() {
  return {.name = "RandomUniform",
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer},
                         {"low", AttributeKind::real},
                         {"high", AttributeKind::real},
                         {"seed", AttributeKind::real},
                         {"shape", AttributeKind::integers, true}},
          .lower = lower};
}

}  // namespace burin::random_uniform_op

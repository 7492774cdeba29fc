// RandomNormal: numbers that are normal with mean and scale, in the shape of an attribute. The
// same ones in each run, from the attribute seed or the place of the node
// (ops/api/layers/random.h).
#include "ops/api/core/op_def.h"
#include "ops/api/layers/random.h"
#include "support/diagnostics.h"

namespace burin::random_normal_op {
namespace {

void lower(OpContext& op) {
  Shape shape;
  for (const int64_t extent : op.integers("shape")) {
    if (extent < 0) refuse("bad-attribute", "shape has the entry " + std::to_string(extent));
    shape.emplace_back(extent);
  }
  map_random(op, random_type(op, Type::f32), shape, true);
}

}  // namespace

OpDef definition() {
  return {.name = "RandomNormal",
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer},
                         {"mean", AttributeKind::real},
                         {"scale", AttributeKind::real},
                         {"seed", AttributeKind::real},
                         {"shape", AttributeKind::integers, true}},
          .lower = lower};
}

}  // namespace burin::random_normal_op

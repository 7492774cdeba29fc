// RandomNormalLike: numbers that are normal with mean and scale, in the shape of the input. The
// same ones in each run, from the attribute seed or the place of the node
// (ops/api/layers/random.h).
#include "ops/api/core/op_def.h"
#include "ops/api/layers/random.h"

namespace burin::random_normal_like_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  map_random(op, random_type(op, x.type()), x.shape(), true);
}

}  // namespace

OpDef definition() {
  return {.name = "RandomNormalLike",
          .inputs = {{"input"}},
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer},
                         {"mean", AttributeKind::real},
                         {"scale", AttributeKind::real},
                         {"seed", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::random_normal_like_op

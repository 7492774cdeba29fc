// RandomUniformLike: numbers that are uniform between low and high, in the shape of the input. The
// same ones in each run, from the attribute seed or the place of the node
// (ops/api/layers/random.h).
#include "ops/api/core/op_def.h"
#include "ops/api/layers/random.h"

namespace burin::random_uniform_like_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  map_random(op, random_type(op, x.type()), x.shape(), false);
}

}  // namespace

OpDef definition() {
  return {.name = "RandomUniformLike",
          .inputs = {{"input"}},
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer},
                         {"low", AttributeKind::real},
                         {"high", AttributeKind::real},
                         {"seed", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::random_uniform_like_op

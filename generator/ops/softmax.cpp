// Softmax: y = exp(x - max) / sum exp(x - max) along a row.
#include "ops/api/core/op_def.h"
#include "ops/api/math/row.h"

namespace burin::softmax_op {
namespace {

void lower(OpContext& op) { map_rows(op, softmax); }

}  // namespace

OpDef definition() {
  return {.name = "Softmax",
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::softmax_op

// Softmax: y = exp(x - max) / sum exp(x - max) along a row.
#include "ops/api/op_def.h"
#include "ops/api/row.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_rows(op, softmax); }

}  // namespace

OpDef op_softmax() {
  return {.name = "Softmax",
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin

// Scatter: the older name of ScatterElements, without reductions. Opsets 9 and 10.
#include "ops/api/core/op_def.h"
#include "ops/api/movement/scattering.h"

namespace burin::scatter_op {
namespace {

void lower(OpContext& op) { map_scatter_elements(op, op.integer("axis", 0), How::store); }

}  // namespace

OpDef definition() {
  return {.name = "Scatter",
          .since = 9,
          .until = 10,
          .inputs = {{"data", types::tensors},
                     {"indices", types::indices},
                     {"updates", types::tensors}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::scatter_op

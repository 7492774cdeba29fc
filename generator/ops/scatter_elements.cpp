// ScatterElements: data with updates at the points of indices, the index in place of the coordinate
// along axis. With a reduction (since opset 16; min and max since 18) they are combined with what
// is there. An index outside is clipped. Since opset 11.
#include "ops/api/core/op_def.h"
#include "ops/api/movement/scattering.h"

namespace burin::scatter_elements_op {
namespace {

void lower(OpContext& op) { map_scatter_elements(op, op.integer("axis", 0), reduction_of(op)); }

}  // namespace

OpDef definition() {
  return {.name = "ScatterElements",
          .since = 11,
          .inputs = {{"data", types::tensors},
                     {"indices", types::indices},
                     {"updates", types::tensors}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer},
                         {"reduction", AttributeKind::text, false, since(16)}},
          .lower = lower};
}

}  // namespace burin::scatter_elements_op

// com.microsoft Trilu: one triangle of the last two dimensions, as that of ai.onnx, which came
// later.
#include "ops/api/core/op_def.h"
#include "ops/api/math/fused.h"

namespace burin {
namespace trilu_op {
OpDef definition();
}

namespace ms_trilu_op {

OpDef definition() { return ms_op(trilu_op::definition()); }

}  // namespace ms_trilu_op
}  // namespace burin

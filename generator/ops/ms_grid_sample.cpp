// com.microsoft GridSample: as that of ai.onnx with its first names of modes; exporters wrote it
// before.
#include "ops/api/core/op_def.h"
#include "ops/api/math/fused.h"

namespace burin {
namespace grid_sample_op {
OpDef definition();
}

namespace ms_grid_sample_op {

OpDef definition() { return ms_op(grid_sample_op::definition()); }

}  // namespace ms_grid_sample_op
}  // namespace burin

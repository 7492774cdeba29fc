#include "backends/emit.h"

#include "backends/opencl/emit.h"

namespace burin {

cpp::EmittedTree emit_tree(const ModelPlan& plan) {
  return plan.hardware.target == Target::kOpenCl ? opencl::emit(plan) : cpp::emit(plan);
}

}  // namespace burin

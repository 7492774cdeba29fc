#include "backends/emit.h"

#include "backends/opencl/emit.h"

namespace burin {

cpp::EmittedTree emit_tree(const ModelPlan& plan, const std::vector<const ModelPlan*>& models) {
  return plan.hardware.target == Target::kOpenCl ? opencl::emit(plan, models)
                                                 : cpp::emit(plan, models);
}

}  // namespace burin

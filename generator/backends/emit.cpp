#include "backends/emit.h"

#include "backends/licence.h"
#include "backends/made_from.h"
#include "backends/opencl/emit_opencl.h"
#include "backends/packages/packages.h"

namespace burin {

cpp::EmittedTree emit_tree(const ModelPlan& plan, const std::vector<const ModelPlan*>& models) {
  cpp::EmittedTree out = plan.hardware.target == Target::kOpenCl ? opencl::emit(plan, models)
                                                                 : cpp::emit(plan, models);
  add_packages(plan, models, out.tree);
  add_made_from(plan.made_from, out.tree);
  add_licence(out.tree);
  return out;
}

}  // namespace burin

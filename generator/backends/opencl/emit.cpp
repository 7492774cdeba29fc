// The list of all that an OpenCL tree has.
#include "backends/opencl/emit.h"

namespace burin::opencl {

cpp::EmittedTree emit(const ModelPlan& plan) {
  cpp::EmittedTree out;
  const cpp::TreeNames names = cpp::name_everything(plan);
  const cpp::WeightsLayout weights = cpp::lay_out_weights(plan);
  const cpp::KernelSet kernels = opencl::print_kernels(plan);
  cpp::emit_interface(plan, names, weights, kernels.kernels.size(), out.tree);
  cpp::emit_memory(plan, names, weights, out.tree);
  emit_program(kernels, names, out.tree);
  emit_host(plan, names, kernels, weights, out.tree);
  cpp::emit_weights(plan, names, weights, out.tree);
  cpp::emit_test(plan, names, out.tree);
  cpp::emit_project(plan, names, out.tree);
  cpp::emit_report(plan, names, kernels, weights, out.tree);
  cpp::emit_plan(plan, names, kernels, weights, out.tree);
  out.manifest = cpp::manifest_writer(plan, names, weights, out.tree);
  return out;
}

}  // namespace burin::opencl

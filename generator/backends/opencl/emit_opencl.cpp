// The list of all that an OpenCL tree has.
#include "backends/opencl/emit_opencl.h"

#include "backends/cpp/content_names.h"

namespace burin::opencl {

cpp::EmittedTree emit(const ModelPlan& plan, const std::vector<const ModelPlan*>& models) {
  cpp::EmittedTree out;
  const std::vector<cpp::Network> networks = cpp::networks_of(plan, models, kernel_units);
  for (const cpp::Network& one : networks) {
    cpp::emit_memory(*one.plan, one.names, one.weights, out.tree);
    emit_host(*one.plan, one.names, one.kernels, one.weights, out.tree);
    cpp::emit_weights(*one.plan, one.names, one.weights, out.tree);
    cpp::emit_test(*one.plan, one.names, out.tree);
    cpp::emit_report(*one.plan, one.names, one.kernels, one.weights, out.tree);
  }
  const cpp::KernelSet& own = networks.back().kernels;
  for (const auto& [step, calls] : own.calls) {
    for (const cpp::KernelCall& one : calls)
      out.launches[step].push_back(own.kernels[one.kernel].name.text());
  }
  emit_program(networks, out.tree);
  cpp::emit_project(networks, out.tree);
  const Code content = cpp::content_of(networks, out.tree);
  for (const cpp::Network& one : networks) {
    cpp::emit_interface(*one.plan, one.names, one.weights, one.kernels.kernels.size(), out.tree);
    cpp::emit_content(one, content, out.tree);
  }
  cpp::emit_plan(networks, out.tree);
  out.manifest = cpp::manifest_writer(networks, out.tree);
  return out;
}

}  // namespace burin::opencl

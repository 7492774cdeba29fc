#include "select/precision/fp16_plan.h"

#include <algorithm>

#include "kernel/rewrite_kernel.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

template <class Visit>
void each_kernel_step(const KernelGraph& graph, const Visit& visit) {
  for_each_step(graph.steps, [&](const Step& step) {
    if (const auto* kernel = std::get_if<Kernel>(&step)) visit(step.id, *kernel);
  });
}

}  // namespace

Fp16Plan plan_fp16(const KernelGraph& graph, const Hardware& hardware, Fp16Use use) {
  Fp16Plan plan{use, {}, {}, {}};
  if (use == Fp16Use::off) return plan;
  if (use == Fp16Use::arithmetic && !hardware.opencl.fp16)
    located({.file = "--half"}, [&] {
      refuse("inconsistent-hardware", quoted(hardware.name) + " does not compute in fp16",
             "take --half storage, or a description whose opencl.has lists \"fp16\"");
    });
  plan.stored = tensors_for_fp16(graph, &plan.kept);
  if (use != Fp16Use::arithmetic) return plan;
  KernelGraph stored = graph;
  store_as_fp16(stored, plan.stored);
  each_kernel_step(stored, [&](StepId step, const Kernel& kernel) {
    const Kernel after = in_fp16(kernel, stored.values);
    const int64_t operations = fp16_operations(after);
    if (operations == 0) return;
    BURIN_CHECK(step != kNoStep, "a step without an identity");
    plan.kernels.push_back({step, operations, float_operations(after)});
  });
  return plan;
}

Hardware with_fp16(Hardware hardware, Fp16Use use) {
  hardware.keeps_fp16 = use != Fp16Use::off;
  hardware.opencl.fp16 = hardware.opencl.fp16 && use == Fp16Use::arithmetic;
  return hardware;
}

KernelGraph apply_fp16(KernelGraph graph, const Fp16Plan& plan) {
  store_as_fp16(graph, plan.stored);
  graph.steps = with_kernels(graph.steps, [&](StepId step, const Kernel& kernel) {
    const bool meant = std::any_of(plan.kernels.begin(), plan.kernels.end(),
                                   [&](const Fp16Kernel& one) { return one.step == step; });
    return meant ? in_fp16(kernel, graph.values) : kernel;
  });
  return graph;
}

std::string to_string(Fp16Use use) {
  return use == Fp16Use::off ? "off" : use == Fp16Use::storage ? "storage" : "arithmetic";
}

std::string to_string(const Fp16Plan& plan, const KernelGraph& graph) {
  std::string out = "fp16: " + to_string(plan.use) + "\n";
  for (const ValueId id : plan.stored) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    out += "  " + quoted(value.name) + " " + to_string(value.shape) + "\n";
  }
  for (const std::string& one : plan.kept) out += "  floats: " + one + "\n";
  each_kernel_step(graph, [&](StepId step, const Kernel& kernel) {
    for (const Fp16Kernel& one : plan.kernels) {
      if (one.step != step) continue;
      out += "  kernel " + quoted(kernel.name) + ": " + std::to_string(one.fp16) +
             " operations in fp16, " + std::to_string(one.f32) + " in floats\n";
    }
  });
  return out;
}

}  // namespace burin

#include "select/precision/half_plan.h"

#include <algorithm>

#include "kernel/rewrite_kernel.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

template <class Visit>
void each_kernel_at(const KernelGraph& graph, const Visit& visit) {
  int position = -1;
  for_each_step(graph.steps, [&](const Step& step) {
    ++position;
    if (const auto* kernel = std::get_if<Kernel>(&step)) visit(position, *kernel);
  });
}

}  // namespace

HalfPlan plan_halves(const KernelGraph& graph, const Hardware& hardware, HalfUse use) {
  HalfPlan plan{use, {}, {}, {}};
  if (use == HalfUse::off) return plan;
  if (use == HalfUse::arithmetic && !hardware.opencl.fp16)
    located({.file = "--half"}, [&] {
      refuse("inconsistent-hardware", quoted(hardware.name) + " does not compute in halves",
             "take --half storage, or a description whose opencl.has lists \"fp16\"");
    });
  plan.stored = tensors_for_halves(graph, &plan.kept);
  if (use != HalfUse::arithmetic) return plan;
  KernelGraph stored = graph;
  store_as_halves(stored, plan.stored);
  each_kernel_at(stored, [&](int position, const Kernel& kernel) {
    const Kernel after = in_halves(kernel, stored.values);
    if (const int64_t halves = half_operations(after); halves > 0)
      plan.kernels.push_back({position, halves, float_operations(after)});
  });
  return plan;
}

Hardware with_halves(Hardware hardware, HalfUse use) {
  hardware.opencl.fp16 = hardware.opencl.fp16 && use == HalfUse::arithmetic;
  return hardware;
}

KernelGraph apply_halves(KernelGraph graph, const HalfPlan& plan) {
  store_as_halves(graph, plan.stored);
  graph.steps = with_kernels(graph.steps, [&](int position, const Kernel& kernel) {
    const bool meant = std::any_of(plan.kernels.begin(), plan.kernels.end(),
                                   [&](const HalfKernel& one) { return one.position == position; });
    return meant ? in_halves(kernel, graph.values) : kernel;
  });
  return graph;
}

std::string to_string(HalfUse use) {
  return use == HalfUse::off ? "off" : use == HalfUse::storage ? "storage" : "arithmetic";
}

std::string to_string(const HalfPlan& plan, const KernelGraph& graph) {
  std::string out = "halves: " + to_string(plan.use) + "\n";
  for (const ValueId id : plan.stored) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    out += "  " + quoted(value.name) + " " + to_string(value.shape) + "\n";
  }
  for (const std::string& one : plan.kept) out += "  floats: " + one + "\n";
  each_kernel_at(graph, [&](int position, const Kernel& kernel) {
    for (const HalfKernel& one : plan.kernels) {
      if (one.position != position) continue;
      out += "  kernel " + quoted(kernel.name) + ": " + std::to_string(one.halves) +
             " operations in halves, " + std::to_string(one.floats) + " in floats\n";
    }
  });
  return out;
}

}  // namespace burin

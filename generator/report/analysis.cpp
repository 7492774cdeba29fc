#include "report/analysis.h"

#include <algorithm>

#include "backends/kernel_work.h"
#include "fuse/access/access.h"
#include "hardware/capabilities.h"
#include "support/check.h"

namespace burin {
namespace {

int64_t clipped(int64_t value) { return std::max<int64_t>(0, value); }

// Of each step the most versions of a kernel there or inside; returns the most of all of them.
int add_versions(const Steps& steps, const std::map<StepId, KernelSchedule>& kernels,
                 std::map<StepId, int>& out) {
  int most = 1;
  for (const Step& step : steps) {
    int own = 1;
    if (std::holds_alternative<Kernel>(step)) {
      own = kernels.at(step.id).versions;
    } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      own = std::max(add_versions((*branch)->then_steps, kernels, out),
                     add_versions((*branch)->else_steps, kernels, out));
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      own = add_versions((*loop)->body, kernels, out);
    }
    out[step.id] = own;
    most = std::max(most, own);
  }
  return most;
}

std::vector<int> part_versions(const Compiled& compiled) {
  std::map<StepId, int> versions;
  add_versions(compiled.plan.graph.steps, compiled.plan.kernels, versions);
  std::vector<int> out;
  for (const PartReport& report : compiled.order.parts) {
    int most = 1;
    for (const StepId step : report.steps) most = std::max(most, versions.at(step));
    out.push_back(most);
  }
  return out;
}

}  // namespace

Analysis analyze(const Compiled& compiled) {
  const ModelPlan& plan = compiled.plan;
  Analysis out;
  out.model = plan.name;
  out.hardware = plan.hardware.name;
  out.nodes = static_cast<int64_t>(compiled.model_nodes);
  out.operators = compiled.nodes;
  out.layouts = operator_layouts(compiled.lowered, compiled.nodes);
  out.stages = compiled.stages;
  out.selection = compiled.layouts;
  for (const StageTime& stage : compiled.stages) {
    if (stage.name == "layout") out.selection_seconds = stage.seconds;
  }
  out.parameters = compiled.parameters;
  out.inputs = compiled.inputs;
  out.passes = compiled.passes;
  out.rewrites = compiled.rewrites;
  out.shapes = count_lattice(compiled.inputs, compiled.nodes);
  WorkMeter meter(plan.graph, &plan.kernels);
  int position = -1;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    ++position;
    const Kernel* kernel = std::get_if<Kernel>(&step);
    const Procedure* procedure = std::get_if<Procedure>(&step);
    if (!kernel && !procedure) return;
    KernelFigures figures;
    figures.name = kernel ? kernel->name : procedure->name;
    figures.step = step.id;
    figures.position = position;
    if (const auto key = compiled.kernel_keys.find(step.id); key != compiled.kernel_keys.end())
      figures.key = key->second;
    figures.nodes = (kernel ? kernel->origins : procedure->origins).list();
    figures.family = kernel ? plan.kernels.at(step.id).family : "procedure " + procedure->function;
    if (kernel) {
      figures.reason = plan.kernels.at(step.id).reason;
      figures.is_movement = only_moves(*kernel);
      figures.packed = plan.kernels.at(step.id).packed;
      figures.versions = plan.kernels.at(step.id).versions;
      figures.dropped = plan.memory.dropped.contains(step.id);
    }
    figures.work = meter.of(step);
    for (const auto& list : {reads_of(step), writes_of(step)}) {
      for (const ValueId id : list)
        figures.layouts.push_back(to_string(plan.graph.values[static_cast<size_t>(id)].layout));
    }
    out.macs += figures.work.macs;
    out.kernels.push_back(std::move(figures));
  });
  out.groups = plan.groups;
  if (has_device(compiled.plan.hardware)) out.device = device_figures(compiled.plan);
  out.order = compiled.order;
  out.part_versions = part_versions(compiled);
  const auto at_hint = [&](const Dim& dim) {
    return evaluate(plan.memory, dim,
                    [&](const Symbol& symbol) { return plan.size_limits.usual(symbol); });
  };
  for (const NamedSize& size : plan.memory.named)
    out.sizes.emplace_back(size.symbol->name, to_string(size.value));
  out.arena_bytes = to_string(plan.memory.arena_bytes);
  out.lower_bound = to_string(plan.memory.lower_bound);
  out.naive_bytes = to_string(plan.memory.naive_bytes);
  out.arena_at_hints = clipped(at_hint(plan.memory.arena_bytes));
  out.lower_bound_at_hints = clipped(at_hint(plan.memory.lower_bound));
  out.naive_at_hints = clipped(at_hint(plan.memory.naive_bytes));
  out.memory_method = plan.memory.method;
  for (const PlannedBuffer& buffer : plan.memory.buffers)
    out.buffers.emplace_back(to_string(buffer.bytes), buffer.live);
  out.baselines = plan.memory.baselines;
  return out;
}

}  // namespace burin

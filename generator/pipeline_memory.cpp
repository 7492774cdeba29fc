#include "pipeline_memory.h"

#include <algorithm>

#include "kernel/run_order.h"
#include "plan/memory/check_memory.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

std::vector<ScratchNeed> scratch_needs(const ModelPlan& plan) {
  std::vector<ScratchNeed> out;
  for (const auto& [step, schedule] : plan.kernels) {
    if (schedule.scratch_bytes.is_constant(0)) continue;
    out.push_back({step, schedule.scratch_bytes, schedule.scratches});
    // A worker's number is that of one of all parts of the group.
    const ThreadGroup* const group = plan.thread_groups.group_of(step);
    if (group != nullptr && schedule.cut && !schedule.scratches.is_constant(1))
      out.back().workers = min(group->parts, schedule.cut->workers);
  }
  return out;
}

MemoryOptions memory_options(const ModelPlan& plan, const CompileOptions& options) {
  MemoryOptions out;
  out.alignment = plan.hardware.arena_align_bytes;
  out.packing.rule = options.packing;
  out.rules = alias_rules(plan);
  // Where memory counts. A state is the caller's, whatever a run has written of it.
  if (plan.hardware.optimise == Optimise::kSize) {
    for (const ValueId output : plan.graph.outputs) {
      const std::string& name = plan.graph.values[at(output)].name;
      const bool state = std::any_of(options.states.begin(), options.states.end(),
                                     [&](const CallerState& one) { return one.output == name; });
      if (!state) out.rooms.insert(output);
    }
  }
  return out;
}

}  // namespace

AliasRules alias_rules(const ModelPlan& plan) {
  AliasRules out;
  for (const auto& [step, schedule] : plan.kernels) {
    if (schedule.no_alias) out.push_back(NeverInPlace{step});
    if (schedule.rows_first >= 0) out.push_back(RowsFirst{step, schedule.rows_first});
  }
  for (const LaunchGroup& group : plan.groups.groups) out.push_back(Concurrent{group.steps});
  for (const ThreadGroup& group : plan.thread_groups.groups) out.push_back(Concurrent{group.steps});
  for (const auto& [id, map] : plan.images.maps) out.push_back(OwnMemory{id});
  for (const DeviceSize& one : plan.sizes.sizes) out.push_back(OwnMemory{one.value});
  return out;
}

SharedMemory shared_memory(const ModelPlan& plan, const CompileOptions& options,
                           std::optional<std::set<StepId>> views) {
  MemoryOptions memory = memory_options(plan, options);
  memory.droppable = std::move(views);
  return share_memory(plan.graph, scratch_needs(plan), memory);
}

MemoryPlan packed_memory(const ModelPlan& plan, SharedMemory shared,
                         const CompileOptions& options) {
  const MemoryOptions memory = memory_options(plan, options);
  MemoryPlan placed = pack_memory(plan.graph, std::move(shared), memory);
  const std::vector<std::string> faults =
      check_memory_plan(plan.graph, scratch_needs(plan), memory, placed);
  BURIN_CHECK(faults.empty(), faults[0]);
  return placed;
}

}  // namespace burin

#include "report/analysis.h"

#include <algorithm>

#include "backends/kernel_work.h"
#include "fuse/access/access.h"
#include "hardware/capabilities.h"
#include "support/check.h"

namespace burin {
namespace {

int64_t clipped(int64_t value) { return std::max<int64_t>(0, value); }

// Its tile, and its edge tiles: of fewer rows, once more where they are small-M or share a
// few, of fewer vectors; of attention, tiles and decode attention.
int versions_of(const ContractionSchedule& product) {
  const Versions& edges = product.versions;
  const auto small = std::count_if(edges.rows.begin(), edges.rows.end(),
                                   [](const Version& version) { return version.small_m; });
  const size_t balanced = edges.balanced.rows > 0 ? 1 : 0;
  return static_cast<int>(1 + edges.rows.size() + static_cast<size_t>(small) + balanced +
                          edges.columns.size());
}

int versions_of(const KernelSchedule& schedule) {
  if (schedule.attention) return schedule.attention->tiled && schedule.attention->decode ? 2 : 1;
  if (!schedule.contraction) return 1;
  return std::max(versions_of(*schedule.contraction), versions_of(schedule.last_product()));
}

// Of a product: rows or columns that are packed, or staged for a window, as it runs; of attention:
// queries, keys and values.
int packed_of(const KernelSchedule& schedule) {
  if (schedule.attention) return schedule.attention->tiled ? 3 : 0;
  int count = 0;
  for (const auto* product : {&schedule.contraction, &schedule.second}) {
    if (!*product) continue;
    const bool from_before = product == &schedule.second;  // panels that the first product made
    const TileFactor &a = (*product)->a, &b = (*product)->b;
    count += !from_before && a.element && a.prepacked == kNoValue;
    count += b.prepacked == kNoValue;
  }
  return count;
}

// By list of the order plan, by place in the order: the most versions of a kernel there or inside.
class ListVersions {
 public:
  explicit ListVersions(const Compiled& compiled) : compiled_(compiled) {
    lists.resize(compiled.order.lists.size());
    walk(compiled.plan.graph.steps);
  }

  std::vector<std::vector<int>> lists;

 private:
  // Lists have the numbers of the given order, positions those of the new one.
  int walk(const Steps& steps) {
    const auto number = static_cast<size_t>(next_++);
    const std::vector<int>& order = compiled_.order.lists[number];
    BURIN_CHECK(order.size() == steps.size(), "an order of other steps");
    std::vector<size_t> place(order.size());
    for (size_t i = 0; i < order.size(); ++i) place[static_cast<size_t>(order[i])] = i;
    std::vector<int> versions(steps.size(), 1);
    std::vector<int> first(steps.size());  // positions
    for (size_t i = 0; i < steps.size(); ++i) {
      first[i] = ++position_;
      position_ += static_cast<int>(size_of(steps[i])) - 1;
    }
    const int end = position_;
    for (const size_t i : place) {
      position_ = first[i];
      if (std::holds_alternative<Kernel>(steps[i])) {
        versions[i] = versions_of(compiled_.plan.kernels.at(first[i]));
      } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&steps[i])) {
        const int then_versions = walk((*branch)->then_steps);
        versions[i] = std::max(then_versions, walk((*branch)->else_steps));
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&steps[i])) {
        versions[i] = walk((*loop)->body);
      }
    }
    position_ = end;
    lists[number] = versions;
    return versions.empty() ? 1 : *std::max_element(versions.begin(), versions.end());
  }

  static size_t size_of(const Step& step) {
    size_t size = 0;
    for_each_step({step}, [&](const Step&) { ++size; });
    return size;
  }

  const Compiled& compiled_;
  int next_ = 0;
  int position_ = -1;
};

std::vector<int> part_versions(const Compiled& compiled) {
  const std::vector<std::vector<int>> lists = ListVersions(compiled).lists;
  std::vector<int> out;
  for (const auto& [list, part] : compiled.order.parts) {
    const auto first = lists[static_cast<size_t>(list)].begin() + part.first;
    out.push_back(*std::max_element(first, first + part.nodes));
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
  WorkMeter meter(plan.graph);
  int position = -1;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    ++position;
    const Kernel* kernel = std::get_if<Kernel>(&step);
    const Procedure* procedure = std::get_if<Procedure>(&step);
    if (!kernel && !procedure) return;
    KernelFigures figures;
    figures.name = kernel ? kernel->name : procedure->name;
    figures.position = position;
    if (const auto key = compiled.kernel_keys.find(position); key != compiled.kernel_keys.end())
      figures.key = key->second;
    figures.nodes = kernel ? kernel->origins : procedure->origins;
    figures.family = kernel ? plan.kernels.at(position).family : "procedure " + procedure->function;
    if (kernel) {
      figures.reason = plan.kernels.at(position).reason;
      figures.is_movement = only_moves(*kernel);
      figures.packed = packed_of(plan.kernels.at(position));
      figures.versions = versions_of(plan.kernels.at(position));
      figures.dropped =
          std::binary_search(plan.memory.dropped.begin(), plan.memory.dropped.end(), position);
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
                    [](const Symbol& symbol) { return at_hints(Index::symbol(symbol)); });
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

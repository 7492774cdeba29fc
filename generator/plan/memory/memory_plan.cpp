#include "plan/memory/memory_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "kernel/index/index_limit.h"
#include "kernel/index/index_magnitude.h"
#include "kernel/index/size_bound.h"
#include "kernel/place_of.h"
#include "kernel/run_order.h"
#include "plan/memory/bytes.h"
#include "plan/memory/concurrent_steps.h"
#include "plan/memory/guests.h"
#include "plan/memory/lifetime.h"
#include "plan/memory/sharing.h"
#include "plan/memory/stacked_sizes.h"
#include "plan/memory/symbolic_offsets.h"
#include "plan/packing/size_points.h"
#include "support/at.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr const char* kWorkingMemory = "its working memory";

// What is packed: a group of values, or the scratch of one step.
struct Item {
  SymbolicBuffer buffer;
  int group = -1;
  int scratch = -1;
};

bool all_constant(const std::vector<Item>& items) {
  return std::all_of(items.begin(), items.end(),
                     [](const Item& item) { return item.buffer.size.is_constant(); });
}

Dim fixed(const Dim& dim) {
  const int64_t most = dim.range().hi;
  if (most == kUnbounded) {
    refuse("unbounded-size", "the size " + quoted(size_text(dim)) + " has no upper bound",
           "give its symbols ranges");
  }
  return most;
}

std::vector<ScratchPlacement> scratch_of(const KernelGraph& graph,
                                         const std::vector<Position>& positions,
                                         const std::vector<ScratchNeed>& needs,
                                         const MemoryOptions& options) {
  std::vector<ScratchPlacement> scratch;
  const Positions places(graph);
  for (const ScratchNeed& need : needs) {
    const Step& step = *positions[at(places.at(need.step))].step;
    const Dim bytes = at_place([&] { return place_of(step); },
                               [&] { return bound_of(need.bytes, kWorkingMemory); });
    if (bytes.is_constant(0)) continue;
    const Dim workers = bound_before_run(need.workers).value_or(Dim(need.workers.range().hi));
    const Dim stride = workers.is_constant(1) ? Dim(0) : align_up(bytes, options.alignment);
    scratch.push_back({need.step, 0, stride, bytes, workers});
  }
  for (const Position& position : positions) {
    const auto* procedure = std::get_if<Procedure>(position.step);
    if (!procedure || procedure->scratch_bytes.is_constant(0)) continue;
    const Dim bytes = at_place([&] { return place_of(*position.step); },
                               [&] { return bound_of(procedure->scratch_bytes, kWorkingMemory); });
    scratch.push_back({position.step->id, 0, 0, bytes, 1});
  }
  std::stable_sort(scratch.begin(), scratch.end(), [&](const auto& a, const auto& b) {
    return places.at(a.step) < places.at(b.step);
  });
  return scratch;
}

// Of all workers.
Dim total_bytes(const ScratchPlacement& scratch, const MemoryOptions& options) {
  if (scratch.stride.is_constant(0)) return align_up(scratch.bytes, options.alignment);
  return scratch.stride * scratch.workers;
}

void place_constant(const std::vector<Item>& items, const MemoryOptions& options, MemoryPlan& plan,
                    std::vector<Dim>& offsets) {
  std::vector<LiveBuffer> problem;
  for (const Item& item : items) problem.push_back({item.buffer.size.constant(), item.buffer.live});
  const BufferPacking solution = pack_buffers(problem, options.packing);
  offsets.assign(solution.offsets.begin(), solution.offsets.end());
  plan.method = solution.method;
  plan.nodes = solution.nodes;
  plan.arena_bytes = solution.height;
  plan.lower_bound = solution.lower_bound;
  plan.optimal = solution.optimal;
  for (const BufferPackingRule rule :
       {BufferPackingRule::peak_outward, BufferPackingRule::best_fit})
    plan.baselines.push_back({std::string(to_string(rule)), pack_buffers_by(problem, rule).height});
}

// A packing at any sizes gives an order of stacking, which holds everywhere
// (plan/packing/stacking.h).
void place_symbolic(const std::vector<Item>& items, const MemoryOptions& options, MemoryPlan& plan,
                    std::vector<Dim>& offsets) {
  // All pairs are looked at, at several sizes, and what lies above what is proven.
  constexpr size_t kMost = 4096;
  if (items.size() > kMost) {
    refuse("limit",
           "the network has " + std::to_string(items.size()) +
               " tensors and scratch areas in memory, not all of known size; there may be " +
               std::to_string(kMost),
           "fix the sizes of its inputs with --dim");
  }
  std::vector<SymbolicBuffer> buffers;
  std::vector<Dim> sizes;
  for (const Item& item : items) {
    buffers.push_back(item.buffer);
    sizes.push_back(item.buffer.size);
  }
  const SizePoints points(sizes);
  plan.lower_bound = symbolic_live_sum(buffers, points);
  const StackedSizes stacked = stack_sizes(buffers, points, options.packing);
  plan.method = stacked.method;
  plan.nodes = stacked.nodes;
  plan.optimal = stacked.optimal_at_hints;
  plan.baselines = stacked.baselines;
  for (size_t i = 0; i < buffers.size(); ++i)
    buffers[at(stacked.order[i])].offset = static_cast<int64_t>(i);
  SymbolicOffsets symbolic = symbolic_offsets(buffers);
  offsets = std::move(symbolic.offsets);
  plan.arena_bytes = symbolic.height;
  plan.named = std::move(symbolic.named);
}

// The largest arena for sizes in range, or the sizes that have none.
void bound_arena(MemoryPlan& plan) {
  int64_t bound = plan.arena_bytes.range().hi;
  if (bound == kUnbounded) {
    std::map<std::string, int64_t> named;
    std::set<std::string> open;
    const auto most = [&](const Index& leaf) {
      const SymbolInfo& symbol = *leaf.as_symbol();
      const auto known = named.find(symbol.name);
      if (known != named.end()) return known->second;
      if (symbol.max == kUnbounded) open.insert(symbol.name);
      return magnitude(leaf.range());
    };
    for (const NamedSize& size : plan.named)
      named[size.symbol->name] = largest_part(size.value, most);
    bound = largest_part(plan.arena_bytes, most);
    plan.open_sizes.assign(open.begin(), open.end());
  }
  if (bound != kUnbounded) plan.arena_bound = bound;
}

// Packs, and fills in sizes and offsets.
void place_items(const std::vector<Item>& items, const MemoryOptions& options, MemoryPlan& plan,
                 std::vector<Dim>& offsets) {
  if (all_constant(items)) {
    place_constant(items, options, plan, offsets);
  } else {
    place_symbolic(items, options, plan, offsets);
  }
  plan.arena_bytes *= options.alignment;
  plan.lower_bound *= options.alignment;
  for (Dim& offset : offsets) offset *= options.alignment;
  for (Baseline& baseline : plan.baselines) baseline.bytes *= options.alignment;
  bound_arena(plan);
}

// A figure alone: where the sum gets too long an expression, its value at the hints.
Dim sum_of(const std::vector<Dim>& sizes) {
  const std::optional<Dim> sum = within_index_limits([&] {
    Dim all = 0;
    for (const Dim& size : sizes) all += size;
    return all;
  });
  if (sum) return *sum;
  int64_t at_all_hints = 0;
  for (const Dim& size : sizes) at_all_hints += at_hints(size);
  return at_all_hints;
}

}  // namespace

SharedMemory share_memory(const KernelGraph& graph, const std::vector<ScratchNeed>& needs,
                          const MemoryOptions& options) {
  BURIN_CHECK(options.alignment > 0 && options.view_alignment > 0);
  const std::vector<Position> positions = positions_of(graph);
  std::vector<Lifetime> lives = lifetimes_of(graph, positions);
  const std::vector<Interval> concurrent = concurrent_intervals(options.rules, positions);
  hold_concurrent(concurrent, positions, lives);
  // What has a memory of its own takes none here.
  for (const OwnMemory& rule : rules_of<OwnMemory>(options.rules))
    lives[at(rule.value)].held = PositionSet(positions.size());
  SharedMemory out;
  out.scratch = scratch_of(graph, positions, needs, options);
  std::vector<int64_t> scratch_bytes(positions.size(), 0);
  const Positions places(graph);
  for (const ScratchPlacement& scratch : out.scratch) {
    const Interval live = group_at(concurrent, places.at(scratch.step));
    for (int p = live.first; p <= live.last; ++p)
      scratch_bytes[at(p)] += at_hints(total_bytes(scratch, options));
    out.scratch_live.push_back(live);
  }
  out.bytes = share_bytes(graph, positions, lives, std::move(scratch_bytes), options);
  place_guests(graph, options.rooms, out.bytes.groups);
  for (const Lifetime& life : lives) out.live.push_back(intervals_of(life.held));
  return out;
}

MemoryPlan pack_memory(const KernelGraph& graph, SharedMemory shared,
                       const MemoryOptions& options) {
  MemoryPlan plan;
  plan.alignment = options.alignment;
  plan.scratch = std::move(shared.scratch);
  plan.dropped = std::move(shared.bytes.dropped);
  const std::vector<Group>& groups = shared.bytes.groups;

  std::vector<Item> items;
  for (size_t g = 0; g < groups.size(); ++g) {
    std::vector<Interval> live = intervals_of(groups[g].held);
    if (groups[g].external != kNoValue || live.empty()) continue;
    items.push_back({{ceildiv(groups[g].bytes, options.alignment), std::move(live), 0},
                     static_cast<int>(g),
                     -1});
  }
  for (size_t s = 0; s < plan.scratch.size(); ++s) {
    const Dim bytes = total_bytes(plan.scratch[s], options);
    items.push_back({{ceildiv(bytes, options.alignment), {shared.scratch_live[s]}, 0},
                     -1,
                     static_cast<int>(s)});
  }
  if (options.fixed_offsets) {
    for (Item& item : items) item.buffer.size = fixed(item.buffer.size);
  }
  std::erase_if(items, [](const Item& item) { return item.buffer.size.is_constant(0); });
  std::vector<Dim> offsets;
  place_items(items, options, plan, offsets);

  std::vector<Dim> group_offsets(groups.size(), Dim(0));
  for (size_t i = 0; i < items.size(); ++i) {
    plan.buffers.push_back(
        {items[i].buffer.size * options.alignment, offsets[i], items[i].buffer.live});
    if (items[i].group >= 0) group_offsets[at(items[i].group)] = offsets[i];
    if (items[i].scratch >= 0) plan.scratch[at(items[i].scratch)].offset = offsets[i];
  }
  plan.values.resize(graph.values.size());
  std::vector<Dim> alone;  // bytes of each by itself
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const Member& member : groups[g].members) {
      const Value& value = graph.values[at(member.value)];
      const Sharing sharing = shared.bytes.sharing[at(member.value)];
      if (value.kind != ValueKind::internal || sharing == Sharing::none) continue;
      Placement& placement = plan.values[at(member.value)];
      placement.sharing = sharing;
      placement.base = shared.bytes.base[at(member.value)];
      placement.root = groups[g].external;
      placement.offset = group_offsets[g] + member.offset;
      placement.bytes = memory_bytes(graph, member.value);
      placement.live = std::move(shared.live[at(member.value)]);
      alone.push_back(align_up(placement.bytes, options.alignment));
    }
  }
  for (const ScratchPlacement& scratch : plan.scratch)
    alone.push_back(total_bytes(scratch, options));
  plan.naive_bytes = sum_of(alone);
  return plan;
}

MemoryPlan plan_memory(const KernelGraph& graph, const std::vector<ScratchNeed>& needs,
                       const MemoryOptions& options) {
  return pack_memory(graph, share_memory(graph, needs, options), options);
}

int64_t evaluate(const MemoryPlan& plan, const Dim& dim,
                 const std::function<int64_t(const Symbol&)>& size) {
  std::vector<std::pair<std::string, int64_t>> named;
  const auto leaf = [&](const Index& index) {
    for (const auto& [name, value] : named) {
      if (name == index.as_symbol()->name) return value;
    }
    return size(index.as_symbol());
  };
  for (const NamedSize& one : plan.named) {
    named.emplace_back(one.symbol->name, one.value.evaluate(leaf));
  }
  return dim.evaluate(leaf);
}

}  // namespace burin

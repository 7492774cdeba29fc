// The checker of launch groups. It shares no code with the planner: what steps touch is marked one
// by one, elements are compared at sampled sizes, index spaces are counted.
#include <algorithm>
#include <set>

#include "select/device/launch_walk.h"
#include "select/joint/check_elements.h"
#include "select/joint/launch_groups.h"
#include "support/at.h"

namespace burin {
namespace {

struct Touches {
  std::set<ValueId> reads, writes;
  std::set<std::string> uses, finds;  // symbols
};

Touches touches_of(const Step& step, const KernelGraph& graph) {
  Touches out;
  for (const ValueId id : reads_of(step)) out.reads.insert(id);
  for (const ValueId id : writes_of(step)) out.writes.insert(id);
  std::vector<Symbol> symbols = symbols_of(step);
  for (const std::set<ValueId>* ids : {&out.reads, &out.writes}) {
    for (const ValueId id : *ids) {
      for (const Dim& dim : graph.values[at(id)].shape) dim.collect_symbols(symbols);
    }
  }
  for (const Symbol& symbol : symbols) out.uses.insert(symbol->name);
  for_each_step({step}, [&](const Step& inner) {
    if (const auto* bind = std::get_if<Bind>(&inner)) out.finds.insert(bind->symbol->name);
    if (const auto* procedure = std::get_if<Procedure>(&inner)) {
      for (const Symbol& symbol : procedure->results) out.finds.insert(symbol->name);
    }
    const auto* loop = std::get_if<std::shared_ptr<Loop>>(&inner);
    if (loop && (*loop)->executed) out.finds.insert((*loop)->executed->name);
  });
  return out;
}

template <class T>
bool meet(const std::set<T>& a, const std::set<T>& b) {
  return std::any_of(a.begin(), a.end(), [&](const T& one) { return b.contains(one); });
}

class LaunchGroupChecker {
 public:
  LaunchGroupChecker(const LaunchGroups& plan, const KernelGraph& graph,
                     const std::map<StepId, KernelSchedule>& kernels, const Hardware& hardware)
      : plan_(plan), graph_(graph), kernels_(kernels), device_(hardware.opencl) {}

  std::string run() {
    check_order();
    if (!fault_.empty()) return fault_;
    for (const LaunchGroup& group : plan_.groups) check_group(group);
    return fault_;
  }

 private:
  void fault(const std::string& what) {
    if (fault_.empty()) fault_ = what;
  }

  void check_order() {
    std::map<StepId, int> runs;  // when, where a group is one moment
    for (const StepId step : plan_.order) {
      if (!runs.emplace(step, static_cast<int>(runs.size())).second)
        return fault("a step runs twice");
    }
    for (const LaunchGroup& group : plan_.groups) {
      for (size_t i = 0; i < group.steps.size(); ++i) {
        const auto first = runs.find(group.steps[0]), own = runs.find(group.steps[i]);
        if (first == runs.end() || own == runs.end()) return fault("a member does not run");
        if (i > 0 && own->second != first->second + static_cast<int>(i))
          return fault("the steps of a group do not follow each other");
      }
      for (const StepId step : group.steps) runs[step] = runs[group.steps[0]];
    }
    const size_t count = graph_.steps.size();
    size_t all = 0;
    for_each_step(graph_.steps, [&](const Step&) { ++all; });
    if (all != runs.size()) return fault("the order has another length");
    std::vector<int> when;  // of each step of the list
    for (const Step& step : graph_.steps) {
      const auto found = runs.find(step.id);
      if (found == runs.end()) return fault("a step does not run");
      when.push_back(found->second);
      own_list_.insert(step.id);
      // What lies inside of it follows it.
      const RunOrder inner = run_order({step});
      for (size_t i = 1; i < inner.size(); ++i) {
        const auto inside = runs.find(inner[i]);
        if (inside == runs.end() || inside->second != found->second + static_cast<int>(i))
          return fault("a step does not run with what it lies in");
      }
    }
    for (size_t b = 0; b < count; ++b) {
      for (size_t a = 0; a < b; ++a) {
        if (when[a] < when[b]) continue;
        const std::string pair =
            "steps " + to_string(graph_.steps[a].id) + " and " + to_string(graph_.steps[b].id);
        if (std::holds_alternative<Check>(graph_.steps[a]) ||
            std::holds_alternative<Check>(graph_.steps[b]))
          return fault(pair + " pass a check");
        check_apart(a, b, pair);
      }
    }
  }

  void check_apart(size_t a, size_t b, const std::string& pair) {
    const Touches x = touches_of(graph_.steps[a], graph_), y = touches_of(graph_.steps[b], graph_);
    if (meet(x.reads, y.writes) || meet(x.writes, y.reads)) fault(pair + " depend on one another");
    if (meet(x.finds, y.uses) || meet(x.uses, y.finds) || meet(x.finds, y.finds))
      fault(pair + " depend on one another's sizes");
    for (const ValueId id : x.writes) {
      if (y.writes.contains(id) && !write_other_elements(graph_.steps[a], graph_.steps[b], id))
        fault(pair + " write the same elements");
    }
  }

  void check_group(const LaunchGroup& group) {
    if (group.steps.size() < 2) return fault("a group of one");
    std::map<StepId, int> seen;  // launches of each member so far
    for (const StepId step : group.steps) {
      if (!own_list_.contains(step) || !kernels_.contains(step))
        return fault("a member is no kernel");
      for (const LaunchNode& node : kernels_.at(step).launches) {
        if (std::holds_alternative<LaunchLoop>(node.node))
          return fault("a member's launches are counted by the host");
      }
      seen[step] = 0;
    }
    for (const JointLaunch& launch : group.launches) {
      int64_t local = 0, arguments = 0;
      int read = 0, written = 0;  // images
      for (const LaunchMember& member : launch.members) {
        if (!seen.contains(member.step)) return fault("a member of another group");
        if (member.launch != seen[member.step]++)
          return fault("a member's launches are out of order");
        const KernelSchedule& schedule = kernels_.at(member.step);
        const std::vector<const Launch*> all = launches_of(schedule.launches);
        if (at(member.launch) >= all.size()) return fault("a member has no such launch");
        if (launch.members.size() < 2) continue;
        local = std::max(local, check_member(member, *all[at(member.launch)], launch.items));
        const Step step = schedule.kernel;
        read += schedule.images_read;
        written += schedule.images_written;
        arguments += 16 * static_cast<int64_t>(reads_of(step).size() + writes_of(step).size());
      }
      if (launch.members.size() < 2) continue;
      if (launch.items % device_.wave_size != 0) fault("a work-group is no whole waves");
      if (launch.items > device_.work_group_size_max ||
          launch.items > device_.work_item_sizes_max[0])
        fault("a work-group is larger than the device has");
      if (local > device_.local_memory_bytes) fault("a work-group has too much local memory");
      if (arguments > device_.parameter_bytes_max) fault("a kernel has too many arguments");
      if (read > 0 && read > device_.images.read_arguments_max) fault("too many images are read");
      if (written > 0 && written > device_.images.written_arguments_max)
        fault("too many images are written");
    }
    for (const auto& [step, launches] : seen) {
      const KernelSchedule& schedule = kernels_.at(step);
      if (at(launches) != launches_of(schedule.launches).size())
        fault("a member's launches are not all there");
    }
  }

  // Its local memory in one joint work-group.
  int64_t check_member(const LaunchMember& member, const Launch& launch, int items) {
    int64_t own = 1, groups = 1, local = 0;
    bool waits = true;
    const auto points = [&](size_t d) { return at_hints(launch.dimensions[d].extent); };
    const auto blocks = [](int64_t count, int64_t width) { return (count + width - 1) / width; };
    if (launch.product) {
      const GroupTile& tile = launch.product->tile;
      own = tile.items();
      groups = blocks(points(0), tile.columns) * blocks(points(1), tile.rows) * points(2);
      local = tile.local_bytes();
    } else if (launch.attention) {
      own = launch.attention->items;
      groups = blocks(points(0), launch.attention->queries) * points(1);
      local = launch.attention->local_bytes();
    } else if (launch.cooperative > 0) {
      own = launch.cooperative;
      for (size_t d = 0; d < launch.dimensions.size(); ++d) groups *= points(d);
    } else {
      waits = false;
      for (size_t d = 0; d < launch.dimensions.size(); ++d) {
        own *= launch.dimensions[d].local;
        groups *= blocks(points(d), launch.dimensions[d].local);
      }
    }
    if (member.items != own) fault("a member has work-groups of another size");
    const int64_t joint = at_hints(member.groups);
    if (joint * items < groups * own) fault("a member has too few work-groups");
    if ((joint - 1) * items >= groups * own && groups > 0)
      fault("a member has too many work-groups");
    if (waits && (items % own != 0 || joint * items != groups * own))
      fault("a part of a work-group waits at barriers");
    return local * (waits ? items / own : 0);
  }

  const LaunchGroups& plan_;
  const KernelGraph& graph_;
  const std::map<StepId, KernelSchedule>& kernels_;
  const OpenClDevice& device_;
  std::set<StepId> own_list_;  // steps of the graph's own list
  std::string fault_;
};

}  // namespace

std::string check_launch_groups(const LaunchGroups& plan, const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const Hardware& hardware) {
  return LaunchGroupChecker(plan, graph, kernels, hardware).run();
}

}  // namespace burin

#include "select/joint/device_sizes.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernel/index/size_bound.h"
#include "select/device/launch_walk.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Reasons = std::map<std::string, std::string>;  // by symbol: why the host needs it

void add(const std::vector<Symbol>& symbols, const std::string& why, Reasons& out) {
  for (const Symbol& symbol : symbols) out.emplace(symbol->name, why);
}
void add(const Dim& dim, const std::string& why, Reasons& out) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  add(symbols, why, out);
}

}  // namespace

const DeviceSize* DeviceSizes::held(const Symbol& symbol) const {
  for (const DeviceSize& one : sizes) {
    if (one.symbol->name == symbol->name) return one.on_host.empty() ? &one : nullptr;
  }
  return nullptr;
}

const DeviceSize* DeviceSizes::gate_of(StepId step) const {
  const auto found = gates.find(step);
  return found == gates.end() ? nullptr : &sizes[static_cast<size_t>(found->second)];
}

int DeviceSizes::place_of(ValueId value) const {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].value == value) return static_cast<int>(i);
  }
  return -1;
}

bool depends_on_device(const Dim& dim, const DeviceSizes& sizes) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Symbol& symbol) { return sizes.held(symbol) != nullptr; });
}

Dim launched_for(const Dim& dim, const DeviceSizes& sizes) {
  if (!depends_on_device(dim, sizes)) return dim;
  const std::optional<Dim> most =
      bound_over(dim, [&](const Symbol& symbol) { return sizes.held(symbol) == nullptr; });
  BURIN_CHECK(most, "a launch over a size of the device that has no bound");
  return *most;
}

namespace {

class LaunchNeeds {
 public:
  explicit LaunchNeeds(Reasons& out) : out_(out) {}

  void look(const KernelSchedule& schedule, bool joint) {
    if (joint) add(symbols_of(Step(schedule.kernel)), "a joint launch depends on it", out_);
    if (schedule.images_read + schedule.images_written > 0)
      add(symbols_of(Step(schedule.kernel)), "a kernel over images depends on it", out_);
    look(schedule.launches);
  }

 private:
  void look(const LaunchNodes& nodes) {
    for (const LaunchNode& node : nodes) {
      if (const auto* loop = std::get_if<LaunchLoop>(&node.node)) {
        add(loop->begin, "the host counts launches by it", out_);
        add(loop->end, "the host counts launches by it", out_);
        look(loop->nodes);
      } else {
        look(std::get<Launch>(node.node));
      }
    }
  }

  void look(const Launch& launch) {
    for (size_t d = 0; d < launch.dimensions.size(); ++d) {
      const Dim& extent = launch.dimensions[d].extent;
      if (!bound_before_run(extent)) add(extent, "nothing bounds a launch over it", out_);
    }
  }

  Reasons& out_;
};

}  // namespace

namespace {

// Calls `behind` for every kernel behind a check of a flag, with the flag's place.
void for_each_behind_check(const DeviceSizes& sizes, const KernelGraph& graph,
                           const std::function<void(const Step&, int)>& behind) {
  int flag = -1;
  for_each_step(graph.steps, [&](const Step& step) {
    if (std::holds_alternative<Check>(step)) {
      for (const Symbol& symbol : symbols_of(step)) {
        for (size_t i = 0; i < sizes.sizes.size(); ++i) {
          const DeviceSize& one = sizes.sizes[i];
          if (!one.check.empty() && one.symbol->name == symbol->name) flag = static_cast<int>(i);
        }
      }
    }
    if (flag >= 0 && std::holds_alternative<Kernel>(step)) behind(step, flag);
  });
}

}  // namespace

void decide_device_sizes(DeviceSizes& sizes, const KernelGraph& graph,
                         const std::map<StepId, KernelSchedule>& kernels,
                         const LaunchGroups& groups) {
  Reasons reasons;
  for_each_step(graph.steps, [&](const Step& step) {
    const auto schedule = kernels.find(step.id);
    if (schedule != kernels.end())
      LaunchNeeds(reasons).look(schedule->second, groups.group_of(step.id) != nullptr);
  });
  // Work-groups of a joint launch do not look at flags.
  for_each_behind_check(sizes, graph, [&](const Step& step, int flag) {
    if (groups.group_of(step.id))
      reasons.emplace(sizes.sizes[static_cast<size_t>(flag)].symbol->name,
                      "a joint launch depends on it");
  });
  for (DeviceSize& one : sizes.sizes) {
    const auto why = reasons.find(one.symbol->name);
    one.on_host = why == reasons.end() ? std::string() : why->second;
  }
  sizes.gates.clear();
  for_each_behind_check(sizes, graph, [&](const Step& step, int flag) {
    if (!sizes.sizes[static_cast<size_t>(flag)].on_host.empty()) return;
    // What makes a flag says 0 where the one before it does; sizes behind it look at it themselves.
    for (const ValueId id : writes_of(step)) {
      const int place = sizes.place_of(id);
      if (place < 0) continue;
      const bool flags = std::any_of(sizes.sizes.begin(), sizes.sizes.end(), [&](const auto& one) {
        return one.value == id && !one.check.empty();
      });
      if (flags) return;
    }
    sizes.gates[step.id] = flag;
  });
}

std::string to_string(const DeviceSizes& sizes) {
  std::string out;
  for (const DeviceSize& one : sizes.sizes) {
    out += quoted(one.symbol->name) + ": " +
           (one.on_host.empty() ? "on the device" : "the host reads it: " + one.on_host) + "\n";
  }
  return out;
}

}  // namespace burin

// The planner. Steps are taken in the given order; each joins an earlier group of kernels that
// comes behind everything it depends on, or stands at the end. Of the groups that it could join,
// the one that saves most time is taken.
#include "select/joint/launch_groups.h"

#include <algorithm>
#include <optional>

#include "select/device/launch_walk.h"
#include "select/joint/launch_joints.h"
#include "select/joint/step_order.h"
#include "support/at.h"

namespace burin {
namespace {

// Groups that are looked at for one kernel; there may be thousands.
constexpr int kMostLookedAt = 24;

bool counts_launches(const LaunchNodes& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const LaunchNode& node) {
    return std::holds_alternative<LaunchLoop>(node.node);
  });
}

// The host compares what the caller has room for with a size that data decide, right before.
bool writes_data_sized_output(const Kernel& kernel, const std::vector<Value>& values) {
  return std::any_of(kernel.writes.begin(), kernel.writes.end(), [&](const Write& write) {
    const Value& value = values[at(write.to)];
    std::vector<Symbol> symbols;
    for (const Dim& dim : value.shape) dim.collect_symbols(symbols);
    return value.kind == ValueKind::output &&
           std::any_of(symbols.begin(), symbols.end(),
                       [](const Symbol& one) { return one->origin != SymbolOrigin::param; });
  });
}

class Planner {
 public:
  Planner(const KernelGraph& graph, const std::map<StepId, KernelSchedule>& kernels,
          const std::set<StepId>& views, const Hardware& hardware, ParallelFusion mode,
          const MeasuredPairs& measured)
      : graph_(graph),
        kernels_(kernels),
        views_(views),
        hardware_(hardware),
        mode_(mode),
        measured_(measured),
        order_(graph),
        live_(graph, kernels) {
    out_.mode = mode;
  }

  LaunchGroups run() {
    const auto count = static_cast<int>(graph_.steps.size());
    for (int step = 0; step < count; ++step) {
      const int after = order_.earliest(step);
      const int slot = is_member(step) ? choose(step, after) : -1;
      if (slot < 0) {
        slots_.push_back({});
        slots_.back().launches = is_member(step) ? launches_of_step(step) : Launches();
      }
      const int taken = slot < 0 ? static_cast<int>(slots_.size()) - 1 : slot;
      slots_[at(taken)].steps.push_back(step);
      order_.place(step, taken);
      live_.place(step, taken, static_cast<int>(slots_.size()));
    }
    finish();
    return std::move(out_);
  }

 private:
  using Launches = std::vector<JointParts>;
  struct Slot {
    std::vector<int> steps;
    Launches launches;  // none: of a step that cannot be a member
  };

  const Kernel* kernel_at(int step) const { return std::get_if<Kernel>(&graph_.steps[at(step)]); }
  StepId id_of(int step) const { return graph_.steps[at(step)].id; }
  const std::string& name_of(int step) const { return kernel_at(step)->name; }

  bool is_member(int step) const {
    const Kernel* kernel = kernel_at(step);
    if (!kernel || views_.contains(id_of(step))) return false;
    const KernelSchedule& schedule = kernels_.at(id_of(step));
    return !counts_launches(schedule.launches) && has_points(schedule) &&
           !writes_data_sized_output(*kernel, graph_.values);
  }

  // What is empty at all sizes is not launched.
  bool has_points(const KernelSchedule& schedule) const {
    const std::vector<const Launch*> launches = launches_of(schedule.launches);
    return std::none_of(launches.begin(), launches.end(), [&](const Launch* launch) {
      return load_of(schedule, *launch, hardware_).groups.is_constant(0);
    });
  }

  Launches launches_of_step(int step) const {
    const KernelSchedule& schedule = kernels_.at(id_of(step));
    Launches out;
    int number = 0;
    for (const Launch* launch : launches_of(schedule.launches))
      out.push_back(
          single_launch({step, number++, load_of(schedule, *launch, hardware_)}, hardware_));
    return out;
  }

  static double total(const Launches& launches) {
    double us = 0;
    for (const JointParts& one : launches) us += one.us;
    return us;
  }

  // The first slot behind `after` that the kernel may join, or -1: one with a kernel beside which
  // it was measured to be faster, else one that the mode has it join. What comes later in its
  // branch can then join what comes later there.
  int choose(int step, int after) {
    const Launches own = launches_of_step(step);
    std::optional<LaunchDecision> refused;
    const auto join = [&](int slot, bool whatever) {
      const Launches& group = slots_[at(slot)].launches;
      const JointLaunches made = joint_launches(group, own, whatever, hardware_);
      const int64_t peak = whatever || made.joint == 0 ? 0 : live_.peak_with(step, slot);
      LaunchDecision decision =
          describe(step, slot, made, total(group) + total(own), refusal(made, whatever, peak));
      if (decision.joint) {
        out_.decisions.push_back(std::move(decision));
        slots_[at(slot)].launches = made.launches;
        return true;
      }
      if (!refused) refused = std::move(decision);
      return false;
    };
    const auto count = static_cast<int>(slots_.size());
    for (int slot = after + 1; slot < count && !measured_.pairs.empty(); ++slot) {
      if (!slots_[at(slot)].launches.empty() && measured(step, slot) == true && join(slot, true))
        return slot;
    }
    int looked_at = 0;
    for (int slot = after + 1; slot < count && mode_ != ParallelFusion::measured; ++slot) {
      if (slots_[at(slot)].launches.empty() || measured(step, slot)) continue;
      if (++looked_at > kMostLookedAt) break;
      if (join(slot, mode_ == ParallelFusion::all)) return slot;
    }
    if (refused) out_.decisions.push_back(std::move(*refused));
    return -1;
  }

  // Of a kernel and those of a slot: apart where one of the pairs was measured so.
  std::optional<bool> measured(int step, int slot) const {
    std::optional<bool> out;
    if (measured_.pairs.empty()) return out;
    for (const int other : slots_[at(slot)].steps) {
      const std::optional<bool> said = measured_.of(id_of(step), id_of(other));
      if (said) out = *said && out.value_or(true);
    }
    return out;
  }

  std::string refusal(const JointLaunches& made, bool whatever, int64_t peak) const {
    if (made.joint == 0)
      return made.why.empty() ? "no launch of it gets faster in another's" : made.why;
    if (!whatever && peak > live_.given_peak())
      return "the largest sum of live bytes would grow from " + std::to_string(live_.given_peak()) +
             " to " + std::to_string(peak);
    return {};
  }

  LaunchDecision describe(int step, int slot, const JointLaunches& made, double apart,
                          const std::string& refusal) const {
    LaunchDecision decision;
    decision.kernel = name_of(step);
    for (const int other : slots_[at(slot)].steps)
      decision.beside += (decision.beside.empty() ? "" : ", ") + name_of(other);
    decision.joint = refusal.empty();
    decision.apart_us = apart;
    decision.joint_us = made.joint > 0 ? made.us : 0;
    decision.reason = refusal;
    if (!refusal.empty()) return decision;
    std::vector<LaunchLoad> largest;
    for (const JointParts& launch : made.launches) {
      if (launch.parts.size() < 2) continue;
      std::vector<LaunchLoad> loads;
      for (const JointPart& part : launch.parts)
        loads.push_back(in_groups_of(part.load, launch.items));
      if (loads.size() >= largest.size()) largest = std::move(loads);
    }
    decision.reason = std::to_string(made.joint) + " of its launches joint, in work-groups of " +
                      std::to_string(largest.front().items) + ", of which a compute unit holds " +
                      std::to_string(resident_groups(largest, hardware_)) +
                      " for the largest needs";
    if (made.us >= apart) decision.reason += "; the cost model says it is slower";
    return decision;
  }

  void finish() {
    for (Slot& slot : slots_) {
      std::sort(slot.steps.begin(), slot.steps.end());
      LaunchGroup group;
      for (const int step : slot.steps) {
        const RunOrder with_inner = run_order({graph_.steps[at(step)]});
        out_.order.insert(out_.order.end(), with_inner.begin(), with_inner.end());
        group.steps.push_back(id_of(step));
      }
      if (slot.steps.size() < 2) continue;
      for (const JointParts& parts : slot.launches) {
        JointLaunch launch;
        launch.items = parts.items;
        for (const JointPart& part : parts.parts)
          launch.members.push_back({id_of(part.step), part.launch, part.load.items,
                                    in_groups_of(part.load, parts.items).groups});
        group.launches.push_back(std::move(launch));
      }
      out_.groups.push_back(std::move(group));
    }
  }

  const KernelGraph& graph_;
  const std::map<StepId, KernelSchedule>& kernels_;
  const std::set<StepId>& views_;
  const Hardware& hardware_;
  const ParallelFusion mode_;
  const MeasuredPairs& measured_;
  StepOrder order_;
  LiveBytes live_;
  std::vector<Slot> slots_;
  LaunchGroups out_;
};

}  // namespace

LaunchGroups plan_launch_groups(const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const std::set<StepId>& views, const Hardware& hardware,
                                ParallelFusion mode, const MeasuredPairs& measured) {
  return Planner(graph, kernels, views, hardware, mode, measured).run();
}

}  // namespace burin

#include "select/joint/thread_groups.h"

#include <algorithm>

#include "cost/cost.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/run_order.h"
#include "select/joint/step_order.h"

namespace burin {
namespace {

// What a group takes of the time of its kernels one after the other, at most.
constexpr int64_t kRepaysPercent = 90;

bool independent(const Step& a, const Step& b) {
  const std::vector<ValueId> read_by_a = reads_of(a), written_by_a = writes_of(a),
                             read_by_b = reads_of(b), written_by_b = writes_of(b);
  for (const ValueId id : written_by_a) {
    if (contains(read_by_b, id)) return false;
    if (contains(written_by_b, id) && !writes_apart(std::get<Kernel>(a), std::get<Kernel>(b), id))
      return false;
  }
  return std::none_of(written_by_b.begin(), written_by_b.end(),
                      [&](ValueId id) { return contains(read_by_a, id); });
}

int64_t parts_at_hints(const KernelSchedule& schedule) {
  return std::max<int64_t>(1, at_hints(parts_of(schedule)));
}

// Of one part, while all threads run.
int64_t cycles_of_part(const KernelSchedule& schedule, const Hardware& hardware) {
  cost::Question question;
  question.threads = hardware.threads_max;
  question.one_call = !schedule.cut;
  if (schedule.cut) {
    const int64_t points = std::max<int64_t>(1, at_hints(schedule.cut->extent));
    question.parts = {{0, std::min(points, schedule.cut->grain)}};
  }
  return cost::cost_of(*schedule.program, hardware, question).cycles();
}

}  // namespace

const ThreadGroup* ThreadGroups::group_of(StepId step) const {
  for (const ThreadGroup& group : groups) {
    if (std::find(group.steps.begin(), group.steps.end(), step) != group.steps.end()) return &group;
  }
  return nullptr;
}

Dim parts_of(const KernelSchedule& schedule) {
  return schedule.cut ? schedule.cut->calls() : Dim(1);
}

ThreadGroups plan_thread_groups(const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const std::set<StepId>& views, const Hardware& hardware) {
  ThreadGroups out;
  const int64_t threads = hardware.threads_max;
  if (threads <= 1) return out;
  const int64_t least = int64_t{hardware.thread_start_us} * hardware.clock_mhz;
  const auto candidate = [&](const Step& step) -> const KernelSchedule* {
    if (!std::holds_alternative<Kernel>(step) || views.contains(step.id)) return nullptr;
    const KernelSchedule& schedule = kernels.at(step.id);
    const bool two_axes = schedule.cut && schedule.cut->across;
    return schedule.program && !two_axes && parts_at_hints(schedule) < threads ? &schedule
                                                                               : nullptr;
  };
  std::vector<const Step*> group;
  int64_t parts = 0, longest = 0;
  const auto close = [&] {
    if (group.size() > 1) {
      ThreadGroup found;
      for (const Step* step : group) {
        found.steps.push_back(step->id);
        found.parts += parts_of(kernels.at(step->id));
      }
      out.groups.push_back(std::move(found));
    }
    group.clear();
  };
  for (size_t i = 0; i < graph.steps.size(); ++i) {
    const Step& step = graph.steps[i];
    const KernelSchedule* const one = candidate(step);
    if (one == nullptr) {
      close();
      continue;
    }
    const bool joins = !group.empty() && parts + parts_at_hints(*one) <= threads &&
                       std::all_of(group.begin(), group.end(),
                                   [&](const Step* other) { return independent(*other, step); });
    if (joins) {
      if (group.size() == 1) longest = cycles_of_part(kernels.at(group[0]->id), hardware);
      const int64_t own = cycles_of_part(*one, hardware);
      if (own >= least && longest >= least &&
          std::max(own, longest) / kRepaysPercent < (own + longest) / 100) {
        group.push_back(&step);
        parts += parts_at_hints(*one);
        longest = std::max(own, longest);
        continue;
      }
    }
    close();
    group = {&step};
    parts = parts_at_hints(*one);
  }
  close();
  return out;
}

std::string to_string(const ThreadGroups& plan) {
  std::string out;
  for (const ThreadGroup& group : plan.groups) {
    out += "threads take " + to_string(group.parts) + " parts of";
    for (const StepId step : group.steps) out += " " + burin::to_string(step);
    out += "\n";
  }
  return out;
}

}  // namespace burin

// Thread groups: neighbouring kernels whose parts threads take side by side, because each of them
// alone has fewer parts than there are threads (ParallelFusion 4, on the cores of a CPU): the two
// directions of a recurrent layer, small branches.
//
// The kernels of a group are one step for memory (plan/memory/concurrent_steps.h): what any of them
// reads is kept until the last has ended, what any of them writes has its bytes from the start.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "select/schedule/kernel_schedule.h"

namespace burin {

struct ThreadGroup {
  std::vector<StepId> steps;  // one after the other
  Dim parts = 0;              // of all of them, in their order
  bool operator==(const ThreadGroup&) const = default;
};

struct ThreadGroups {
  std::vector<ThreadGroup> groups;
  bool operator==(const ThreadGroups&) const = default;

  // The group of a step; null where it has none.
  const ThreadGroup* group_of(StepId step) const;
};

// Parts that threads take of a kernel by itself; 1 where they share nothing of it.
Dim parts_of(const KernelSchedule& schedule);

// `views`: steps that do not run. Only the graph's own list is looked at. Greedy, in order: a
// kernel joins the group of the one before it where they touch nothing that the other changes, all
// parts have threads at the hinted sizes, each repays being given to one, and the longest part of
// all takes at most nine tenths of the time of the group and the kernel one after the other.
ThreadGroups plan_thread_groups(const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const std::set<StepId>& views, const Hardware& hardware);

// Independent of the planner: empty, or the fault. Members follow each other, run, are cut along
// one axis at most, and touch no element that another one changes.
std::string check_thread_groups(const ThreadGroups& plan, const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const std::set<StepId>& views);

std::string to_string(const ThreadGroups& plan);

}  // namespace burin

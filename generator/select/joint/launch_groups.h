// Launch groups: independent kernels whose launches become joint launches with several members
// (ParallelFusion 4), so that one that fills only a part of a device runs beside another.
//
// A joint launch is one index space, cut along its only dimension into runs of work-groups, one run
// for each member. A work-group belongs to one member as a whole: it may take that member's
// barriers, and no wave has work-items of two. Members whose own work-groups are of another size or
// shape find their points again from the number of the work-item (the paper's Table 2).
//
// The kernels of a group are one step for order and memory: what any of them reads is kept until
// the last has ended, what any of them writes has its bytes from the start.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/run_order.h"
#include "select/device/tuning.h"
#include "select/schedule/kernel_schedule.h"

namespace burin {

enum class ParallelFusion : uint8_t {
  off,        // every launch by itself
  measured,   // what a tuning file says
  automatic,  // what the cost model says is faster, and leaves the peak of live bytes as it is
  all,        // whatever may be joint
};

// A run of work-groups of a joint launch.
struct LaunchMember {
  StepId step = kNoStep;
  int launch = 0;  // which of that kernel's launches
  int items = 1;   // of its own work-groups, of which a joint one has one or more
  Dim groups = 1;  // joint ones
  bool operator==(const LaunchMember&) const = default;
};
struct JointLaunch {
  int items = 1;  // of a work-group: whole waves
  std::vector<LaunchMember> members;
  bool operator==(const JointLaunch&) const = default;
};
struct LaunchGroup {
  std::vector<StepId> steps;          // one after the other
  std::vector<JointLaunch> launches;  // one after the other; one with a single member is plain
  bool operator==(const LaunchGroup&) const = default;
};

// What became of a kernel that could run beside earlier ones.
struct LaunchDecision {
  std::string kernel, beside;  // names
  bool joint = false;
  double apart_us = 0, joint_us = 0;  // of the launches of all of them; 0: not looked at
  std::string reason;
  bool operator==(const LaunchDecision&) const = default;
};

struct LaunchGroups {
  ParallelFusion mode = ParallelFusion::off;
  RunOrder order;
  std::vector<LaunchGroup> groups;
  std::vector<LaunchDecision> decisions;
  bool operator==(const LaunchGroups&) const = default;

  // The group of a step; null where it has none.
  const LaunchGroup* group_of(StepId step) const;
};

// What was measured of pairs, by the keys of kernels: goes before what the mode says.
struct MeasuredPairs {
  std::map<StepId, std::string> keys;
  std::map<KernelPair, bool> pairs;
  std::optional<bool> of(StepId step, StepId other) const;
};

// `views`: steps that do not run. Only the graph's own list is looked at, not what lies inside of
// If and Loop.
LaunchGroups plan_launch_groups(const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const std::set<StepId>& views, const Hardware& hardware,
                                ParallelFusion mode, const MeasuredPairs& measured = {});

// Independent of the planner, on what was given to it: empty, or the fault. Steps that touch the
// same elements, one of the two changing them, run in the given order and in no common group; every
// launch of a group's kernels is there once, in order; work-groups and arguments are such as the
// device has.
std::string check_launch_groups(const LaunchGroups& plan, const KernelGraph& graph,
                                const std::map<StepId, KernelSchedule>& kernels,
                                const Hardware& hardware);

std::string to_string(ParallelFusion mode);
std::string reason_of(const LaunchDecision& decision);  // with the times that were compared
std::string to_string(const LaunchGroups& plan);

}  // namespace burin

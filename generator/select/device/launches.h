// Launches: how a kernel is split among the work-items of a device that runs one function for every
// point of an index space (OpenCL's NDRange), and which parts run one after the other.
//
// The loops of a generic schedule are walked from outside. A loop over a parallel axis becomes a
// dimension of the index space. Where several statements follow each other inside (the lets and
// writes of a row), they stay with one work-item, or each becomes a launch of its own, so that
// inner parallel loops are shared as well (loop distribution; lets that cross launches get scratch
// memory over all their axes: scalar expansion). A sequential axis is counted by the host, a launch
// or more per point, or by every work-item, where all else is parallel around it. What is cheapest
// at the hinted sizes wins: the time from one launch to the next, and the longer of the time of one
// work-item and that of all of them on all lanes.
#pragma once

#include <string>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// Fills in `launches`, and the places of lets and the scratch that they need. O(statements^2).
void plan_launches(LoopPlan& schedule, const Hardware& hardware);

// The same for `nodes` of a schedule whose launches are put together by hand; then place_lets gives
// scratch to what crosses them.
LaunchNodes split_among_items(const KernelSchedule& schedule, const LoopNodes& nodes,
                              const Hardware& hardware);
void place_lets(KernelSchedule& schedule);

// From the definition: why work-items of one launch could disturb each other, or a launch could
// read what is not there yet; empty: they cannot.
std::string check_launches(const KernelSchedule& schedule);

}  // namespace burin

// What a launch takes of a device, and how long launches of one or several members take.
#pragma once

#include <vector>

#include "hardware/hardware.h"
#include "select/schedule/kernel_schedule.h"

namespace burin {

struct LaunchLoad {
  int items = 1;            // of a work-group
  Dim groups = 1;           // work-groups
  bool barriers = false;    // the work-items of a group wait for each other
  int64_t local_bytes = 0;  // of a work-group
  int64_t registers = 0;    // of a work-item
  int64_t parameter_bytes = 0;
  int images_read = 0, images_written = 0;
  double alone_cycles = 0;  // of a work-group that has its compute unit to itself
  double busy_cycles = 0;   // that a work-group takes of a compute unit's lanes or memory pipes
};

LaunchLoad load_of(const KernelSchedule& schedule, const Launch& launch, const Hardware& hardware);

// The same work in work-groups of `items`.
LaunchLoad in_groups_of(const LaunchLoad& load, int items);

// Work-groups that a compute unit holds at a time, of the largest needs of all members
// (occupancy).
int64_t resident_groups(const std::vector<LaunchLoad>& members, const Hardware& hardware);

// Of one launch whose work-groups are those of the members, in this order; at the hinted sizes.
double launch_us(const std::vector<LaunchLoad>& members, const Hardware& hardware);

}  // namespace burin

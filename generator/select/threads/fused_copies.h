// Writes that ride along with a kernel (fuse/movement/fuse_copies.h): copies over axes of their
// own, which use no let. The kernel gets the schedule that it has without them, and they become
// loops behind it.
//
// Threads share them whatever axis they share of the kernel: of R points of the outermost loop, the
// call that computes [first, last) of E points makes those from first*R/E to last*R/E, rounded
// down. Where one call ends the next begins, at 0 and at R for the first and the last. What threads
// share has points, so some call comes by.
#pragma once

#include <optional>
#include <string>

#include "select/schedule/schedule.h"

namespace burin {

struct SplitRiders {
  Kernel carrier, riders;
};
std::optional<SplitRiders> split_riders(const Kernel& kernel);

KernelSchedule with_riders(KernelSchedule carrier, const Kernel& riders);

// Whether a write uses no let and none of the axes of lets.
bool is_rider(const Kernel& kernel, const Write& write);

// The loops of riders, for the points that a call computes.
void share_riders(KernelSchedule& schedule);

// From the definition: why threads could not share the riders of a kernel that is to be cut; why
// the calls of one that is cut, at the hinted sizes, do not make each of their points once. Empty:
// they could, and do.
std::string check_riders(const KernelSchedule& schedule);
std::string check_shares(const KernelSchedule& schedule);

}  // namespace burin

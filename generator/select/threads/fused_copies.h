// Writes that are fused horizontally with a kernel (fuse/movement/fuse_copies.h): copies over axes
// of their own, which use no let. The kernel gets the schedule that it has without them, and they
// become loops behind it.
//
// Threads share them whatever axis they share of the kernel: of R points of the outermost loop, the
// call that computes [first, last) of E points makes those from first*R/E to last*R/E, rounded
// down. Where one call ends the next begins, at 0 and at R for the first and the last. What threads
// share has points, so some call comes by.
#pragma once

#include <optional>
#include <string>

#include "select/schedule/loop_plan.h"

namespace burin {

struct SplitCopies {
  Kernel host, copies;
};
std::optional<SplitCopies> split_fused_copies(const Kernel& kernel);

LoopPlan with_fused_copies(LoopPlan host, const Kernel& copies);

// Whether a write uses no let and none of the axes of lets.
bool is_fused_copy(const Kernel& kernel, const Write& write);

// The loops of fused copies, for the points that a call computes.
void share_fused_copies(LoopPlan& schedule);

// From the definition: why threads could not share the fused copies of a kernel that is to be cut;
// why the calls of one that is cut, at the hinted sizes, do not make each of their points once.
// Empty: they could, and do.
std::string check_fused_copies(const LoopPlan& schedule);
std::string check_shares(const LoopPlan& schedule);

}  // namespace burin

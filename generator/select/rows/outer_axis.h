// Rows vectorised along the outer axis: norms, softmax and other reductions over an axis across
// memory, as over the channels of NCHW.
//
// One row after the other would read an element here and one far away. So points that are
// neighbours in memory are innermost, each with a result of its own in scratch, and rows are gone
// through outside of them:
//
//   for each block of points:  for each c, for each point:  sum[point] += x[c, point]
//                              for each c, for each point:  y[c, point] := x[c, point] - sum[point]
//
// What takes a quotient or a function of a row's results is computed once for a point, not for each
// of its elements (select/axes/invariant_motion.h). Blocks of points fit in the second cache while
// several loops go through them. Each row's reductions run in the order of the definition.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt where reductions do not read so (fuse/cascade/outer_axis_rows.h), something longer is not
// computed for every point, points are few, or an address of theirs needs a division. `given`: verb
// "outer".
std::optional<LoopPlan> schedule_outer_axis(const Kernel& kernel, const std::vector<Value>& values,
                                            const Hardware& hardware, const Given& given = {});

}  // namespace burin

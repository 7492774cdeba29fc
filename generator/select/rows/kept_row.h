// Rows whose reductions and results need the same function of each element: softmax, whose sum and
// whose shares both take exp(x - max). It is computed once and kept in a row of scratch:
//
//   for each row:   for each i:  kept[i] = exp(x[i] - max)
//                   for each i:  sum += kept[i]
//                   for each i:  y[i] := kept[i] / sum
//
// Rows that leave half of the first cache, all together or at any of their sizes, are computed
// twice instead. Each thread has its own. The order of sums and all bits stay what they were. This
// is `keep` of LOOPS.md for a row.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt where no function is needed twice, or a row of it has no room. Verb: "keep row".
std::optional<LoopPlan> schedule_kept_row(const Kernel& kernel, const Hardware& hardware,
                                          const Given& verbs);

}  // namespace burin

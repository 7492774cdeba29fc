// Reductions over long rows in partial results, one per lane.
//
// A sum that adds one element after the other waits for each addition and errs with the length n of
// the row; partial sums keep the pipes and the vector lanes busy, and err with n / lanes. The
// partial results of a row, of a sum those of each 1024 points, are combined by halves, then with
// the accumulator of the let, so that a long sum is a sum of sums (error analysis of blocked
// summation: Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). The order is
// fixed by the schedule: every compiler makes the same result.
//
// Of a reduction to the tuple of an extreme key (ArgMax) lanes find the extreme key of a block of
// points. Only where it replaces the best one so far are these looked at one by one, as the
// definition says, so that ties and NaN need nothing else.
//
// Rows that are reduced together share their partial results where that changes no rounding beyond
// these: extreme values, sums of at most 1024 points in all.
#pragma once

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// Lanes for elements of `type`: two registers' worth, so that latency is hidden; 4 on a scalar
// machine.
int reduction_lanes(const VectorUnit& unit, Type type);

// Innermost loops around one floating-point sum, product, extreme value or key become LaneLoops
// where the row may be long enough (two groups of lanes), its addresses need no induction
// variables, and what guards it holds for whole rows (a recurrence has no state before its first
// step). `given`: verbs "lanes".
void reduce_in_lanes(LoopPlan& schedule, const std::vector<Value>& values, const VectorUnit& unit,
                     const Given& given = {});

}  // namespace burin

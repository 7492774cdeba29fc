// Launches whose work-items have several points: neighbours of an axis side by side, as lanes whose
// sums are kept apart (a vector), and more of them one after the other (thread coarsening).
#pragma once

#include "hardware/hardware.h"
#include "select/schedule/kernel_schedule.h"

namespace burin {

// Of a launch in which every work-item has points of its own.
bool has_item_points(const Launch& launch);

// Whether it has innermost loops whose rounds may be written out: verb "unroll".
bool can_unroll(const Launch& launch);

// Extents of the dimensions, from their axes, the lanes and the coarsening; work-groups that became
// longer than that shrink.
void fit_dimensions(Launch& launch, const Kernel& kernel);

// Points of each work-group by dimension: `rows` of the second one, as many of the first as a
// work-group has left, and so on.
void share_work_groups(std::vector<Dimension>& dimensions, int rows, const Hardware& hardware);

// Shapes of work-groups, points of a work-item and unrolling as they are given: verbs "group rows",
// "vector", "points", "unroll".
void apply_given(KernelSchedule& schedule, const Given& given, const Hardware& hardware);

}  // namespace burin

// What others are told of a plan (select/schedule/kernel_schedule.h).
#pragma once

#include "select/schedule/loop_plan.h"

namespace burin {

// Versions of its code, of which a run takes one: of attention, tiles and decode attention; of a
// product, its tile and its edge tiles.
int versions_of(const LoopPlan& plan);

// Of a product: rows or columns that are packed, or staged for a window, as it runs; of attention:
// queries, keys and values.
int packed_of(const LoopPlan& plan);

// The let that is made for whole rows before anything else of them is written; -1: none.
int rows_first(const LoopPlan& plan);

// Of the kernel's products those that are computed; 1: all of them.
double share_of_products(const LoopPlan& plan);
// What fewer products add to roundings, as a share of a result's usual size.
double added_error(const LoopPlan& plan);

}  // namespace burin

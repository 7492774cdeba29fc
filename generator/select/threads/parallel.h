// Threads: which loop of a kernel is cut into chunks that threads share, and how large a chunk is.
//
// A loop may be cut where its axis is parallel, every write runs over it, and lets that run over it
// are read at the same point of it: then no chunk reads what another writes, and every element is
// computed from the same numbers in the same order for any division. Lets that do not run over it
// every call makes for itself. Of a contraction that is a batch axis,
// or the side whose panels are packed (the other side's would be packed once per chunk).
//
// Where a product packs nothing of its rows, a second axis may be cut: a call has some of the rows
// and some of the columns, or of the bands of a window.
//
// Of all divisions into at most kChunksPerThread calls for each thread, that of least time is taken
// (select/threads/parallel_cost.h). A call has at least the work that repays giving it to a thread
// (Hardware::thread_start_us).
#pragma once

#include <cstdint>
#include <string>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"
#include "select/threads/parallel_cost.h"

namespace burin {

// The most chunks of one kernel for each thread.
inline constexpr int64_t kChunksPerThread = 4;

// Where to cut a schedule: where that pays at the hinted sizes, or may at larger ones; none:
// nowhere. O(size of the schedule + divisions + programs of each axis that may be cut). `given`:
// verb "threads"; of parts that may not be so, none. The schedule is as it was afterwards.
std::vector<CutAxis> division_for_threads(LoopPlan& schedule, const Hardware& hardware,
                                          const MakeProgram& make, const Given& given = {});
// Cuts it there.
void cut_for_threads(LoopPlan& schedule, const Hardware& hardware, const MakeProgram& make,
                     const Given& given = {});

// Points that the loops take together along an axis: a chunk may end behind whole such groups only.
int64_t together_along(const LoopPlan& schedule, int axis);

// Operations of sums of products in plain loops that take less time than waking a thread does.
// Where there is one thread, what is small beside the work of a tiled product.
int64_t unshared_operations(const Hardware& hardware);

// Pieces of scratch that calls need at the same time. One for each worker, or for each chunk where
// these are fewer (runtime_min/parallel.h); one for all where every call keeps there what is of its
// own rows, at their places: the panels that a product packs of all its rows at once.
Dim scratches_of(const LoopPlan& schedule);

// From the definition: why calls for different chunks could disturb each other, or compute
// something else than one call for all points; empty: they cannot.
std::string check_cut(const LoopPlan& schedule);

}  // namespace burin

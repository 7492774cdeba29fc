// Threads: which loop of a kernel is cut into chunks that threads share, and how large a chunk is.
//
// A loop may be cut where its axis is parallel, every let and write runs over it, and lets are read
// at the same point of it: then no chunk reads what another writes, and every element is computed
// from the same numbers in the same order for any division. Of a contraction that is a batch axis,
// or the side whose panels are packed (the other side's would be packed once per chunk).
//
// A chunk has at least the work that repays waking a thread (Hardware::thread_start_us) and at most
// what gives every thread several chunks. Work is counted in operations of one core: products and
// sums of a contraction at the rate of its vector unit, anything else one per cycle.
#pragma once

#include <cstdint>
#include <string>

#include "hardware/hardware.h"
#include "select/schedule/schedule.h"

namespace burin {

// Chunks of one kernel for each thread: evens out threads of unequal speed.
inline constexpr int64_t kChunksPerThread = 4;

// Cuts the schedule where that pays at the hinted sizes, or may at larger ones. O(size of the
// schedule).
void cut_for_threads(KernelSchedule& schedule, const Hardware& hardware);

// Operations of sums of products in plain loops that take less time than waking a thread does.
// Where there is one thread, what is small beside the work of a tiled product.
int64_t unshared_operations(const Hardware& hardware);

// Pieces of scratch that calls need at the same time. One for each worker, or for each chunk where
// these are fewer (runtime_min/parallel.h); one for all where every call keeps there what is of its
// own rows, at their places: the panels that a product packs of all its rows at once.
Dim scratches_of(const KernelSchedule& schedule);

// From the definition: why calls for different chunks could disturb each other, or compute
// something else than one call for all points; empty: they cannot.
std::string check_cut(const KernelSchedule& schedule);

}  // namespace burin

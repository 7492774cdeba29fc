// Threads from outside: the type of a parallel loop that a caller may supply, and the loop itself.
//
// A ParallelFor runs body(data, begin, end, worker) on disjoint ranges that together are [0, n), in
// any order and on any threads, and returns when all are done. `worker` is below the number of
// workers that the caller declared and is never used by two ranges at the same time; it selects
// per-worker scratch memory. Emitted bodies write disjoint memory and never combine sums across
// ranges, so the result is the same for every division.
#ifndef BURIN_RT_PARALLEL_H
#define BURIN_RT_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

extern "C" {
typedef void (*BurinRtBody)(void* data, int64_t begin, int64_t end, int32_t worker);
typedef void (*BurinRtParallelFor)(void* user, int64_t n, BurinRtBody body, void* data);
}

namespace burin_rt {

using Body = BurinRtBody;
using ParallelFor = BurinRtParallelFor;

// Runs body over [0, n); without a ParallelFor, here and now as worker 0.
static inline void run_parallel(ParallelFor parallel_for, void* user, int64_t n, Body body,
                                void* data) {
  if (n <= 0) return;
  if (parallel_for == nullptr || n == 1) {
    body(data, 0, n, 0);
  } else {
    parallel_for(user, n, body, data);
  }
}

}  // namespace burin_rt

#endif  // BURIN_RT_PARALLEL_H

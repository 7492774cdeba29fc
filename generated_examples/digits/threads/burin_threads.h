// An optional pool of POSIX threads behind the parallel_for of an emitted tree. Hosted systems
// only: a tree works without it.
//
//   BurinThreads* pool = burin_threads_create(4);
//   context.parallel_for = burin_threads_parallel_for;
//   context.parallel_user = pool;              // burin_threads_count(pool) workers
//   ...
//   burin_threads_destroy(pool);
//
// One loop runs at a time; a pool is used by one calling thread. Ranges are dealt in chunks from an
// atomic counter, so which worker runs what differs from run to run; results do not (parallel.h).
#ifndef BURIN_THREADS_H
#define BURIN_THREADS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BurinThreads BurinThreads;

// A pool of `workers` workers, the calling thread among them; null if workers < 1 or the system
// refuses.
BurinThreads* burin_threads_create(int32_t workers);
void burin_threads_destroy(BurinThreads* pool);
int32_t burin_threads_count(const BurinThreads* pool);

// The BurinRtParallelFor of parallel.h, with the pool as `user`.
void burin_threads_parallel_for(void* pool, int64_t n,
                                void (*body)(void* data, int64_t begin, int64_t end,
                                             int32_t worker),
                                void* data);

#ifdef __cplusplus
}
#endif

#endif  // BURIN_THREADS_H

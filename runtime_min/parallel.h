// SPDX-License-Identifier: MIT-0
// Threads from outside: the type of a parallel loop that a caller may supply, and how a kernel is
// run by one.
//
// A ParallelFor runs body(data, begin, end, worker) on disjoint ranges that together are [0, n), in
// any order and on any threads, and returns when all are done. `worker` is from 0 to one less than
// the workers that the tree was made for, and no two ranges run under one number at the same time.
// It selects scratch memory; where there are no more parts than workers, the number of a range's
// first part does, so that as many pieces of it are enough. Parts write disjoint memory and never
// combine sums across ranges, so the result is the same for every division.
#ifndef BURIN_RT_PARALLEL_H
#define BURIN_RT_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"

extern "C" {
typedef void (*BurinRtBody)(void* data, int64_t begin, int64_t end, int32_t worker);
typedef void (*BurinRtParallelFor)(void* user, int64_t n, BurinRtBody body, void* data);
}

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// What the caller offers; no parallel_for: one thread.
struct Threads {
  BurinRtParallelFor parallel_for;
  void* user;
  int32_t workers;  // that memory was planned for
};

namespace detail {

// Every place between two parts has a mark, and a range that was run adds the difference of the
// marks at its ends. Ranges that are [0, n) once add up to that of 0 and n, in any order; others
// would have to be chosen for it: two marks of 32 bits, which places have as good as drawn.
struct Marks {
  uint32_t a, b;
};

static inline uint32_t scattered(uint32_t x, uint32_t by) {
  for (int round = 0; round < 2; ++round) {
    x ^= x >> 15;
    x *= by;
  }
  return x ^ (x >> 16);
}

static inline Marks marks_at(int64_t place) {
  const uint64_t bits = static_cast<uint64_t>(place);
  const uint32_t x =
      static_cast<uint32_t>(bits) ^ scattered(static_cast<uint32_t>(bits >> 32) + 1u, 0x9e3779b1u);
  return {scattered(x + 0x68e31da4u, 0x2c1b3c6du), scattered(x + 0xb5297a4du, 0x297a2d39u)};
}

static inline Marks between(int64_t begin, int64_t end) {
  const Marks from = marks_at(begin), to = marks_at(end);
  return {to.a - from.a, to.b - from.b};
}

enum { kMostWorkers = 1024 };

template <class Part>
struct ParallelRun {
  const Part* part;
  int64_t n;
  int32_t workers;
  Marks done;
  uint32_t broken;                   // not 0: a range or a worker was none of ours
  uint32_t busy[kMostWorkers / 32];  // a bit for each worker
};

template <class Part>
static inline void run_range(void* data, int64_t begin, int64_t end, int32_t worker) {
  ParallelRun<Part>* const run = static_cast<ParallelRun<Part>*>(data);
  if (begin < 0 || begin > end || end > run->n || worker < 0 || worker >= run->workers) {
    __atomic_store_n(&run->broken, 1u, __ATOMIC_RELAXED);
    return;
  }
  if (begin == end) return;
  uint32_t* const word = &run->busy[worker / 32];
  const uint32_t bit = 1u << (worker % 32);
  if ((__atomic_fetch_or(word, bit, __ATOMIC_ACQUIRE) & bit) != 0) {
    __atomic_store_n(&run->broken, 1u, __ATOMIC_RELAXED);
    return;
  }
  const int32_t first = static_cast<int32_t>(begin);
  (*run->part)(begin, end, run->n <= run->workers ? first : worker);
  __atomic_fetch_and(word, ~bit, __ATOMIC_RELEASE);
  const Marks marks = between(begin, end);
  __atomic_fetch_add(&run->done.a, marks.a, __ATOMIC_RELAXED);
  __atomic_fetch_add(&run->done.b, marks.b, __ATOMIC_RELAXED);
}

}  // namespace detail

// part(begin, end, worker) for ranges that together are [0, n); without a parallel_for, or where
// there is nothing to share, all of it here and now. False when parallel_for broke its promise: a
// range outside [0, n), a worker that does not exist or runs two ranges at once, a part that was
// run twice or never. Then results may be missing or wrong, but nothing was written where it does
// not belong.
template <class Part>
static inline bool run_parallel(const Threads& threads, int64_t n, const Part& part) {
  if (n <= 0) return true;
  if (threads.parallel_for == nullptr || n == 1) {
    part(0, n, 0);
    return true;
  }
  detail::ParallelRun<Part> run = {&part, n, threads.workers, {0, 0}, 0, {}};
  threads.parallel_for(threads.user, n, detail::run_range<Part>, &run);
  const detail::Marks all = detail::between(0, n);
  return run.broken == 0 && run.done.a == all.a && run.done.b == all.b;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PARALLEL_H

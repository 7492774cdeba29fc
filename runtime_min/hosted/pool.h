// SPDX-License-Identifier: MIT-0
// A pool of POSIX threads behind the parallel_for of an emitted tree. Hosted systems only: a tree
// works without it. threads/<name>_threads.cpp of a tree gives it the tree's names; nothing here
// has a name that a linker sees.
//
// One loop runs at a time; a pool is used by one calling thread. Ranges are dealt in chunks from an
// atomic counter, so which worker runs what differs from run to run; results do not.
//
// Kernels follow each other within microseconds, so a worker looks for the next loop for a while
// before it sleeps. The caller works too, and at the end waits for those alone that have joined:
// one that the system wakes late finds the loop closed, and nobody has waited for it.
#ifndef BURIN_HOSTED_POOL_H
#define BURIN_HOSTED_POOL_H

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace {
namespace burin_pool {

// How long a thread looks for what it waits for before it sleeps. Waking a sleeping thread takes
// tens of microseconds; kernels of small networks take less.
constexpr int64_t kSpinNanoseconds = 200000;

// What all threads look at: the workers that have joined the loop, whether it may still be joined,
// and the loop's number. A worker that sleeps until a number comes again misses one loop.
constexpr uint32_t kJoined = 0xfff, kOpen = 0x1000;
constexpr int kNumberShift = 13;
inline uint32_t number_of(uint32_t state) { return state >> kNumberShift; }

// What all threads write, and what the caller alone writes, lie in cache lines of their own.
struct Pool {
  std::atomic<uint32_t> state;
  char behind_state[60];
  std::atomic<int64_t> next;  // part of the loop
  char behind_next[56];
  std::atomic<int32_t> sleeping;  // workers
  char behind_sleeping[60];
  // 1: the caller sleeps until nobody is in the loop
  std::atomic<int32_t> waiting;
  // 1: workers end
  std::atomic<int32_t> stopping;
  // set while the loop is closed:
  void (*body)(void*, int64_t, int64_t, int32_t);
  void* data;
  int64_t n;
  int64_t chunk;
  // constant:
  pthread_t* threads;
  int32_t workers;
  bool spins;  // every worker has a processor: threads look before they sleep
  // for those who sleep:
  pthread_mutex_t mutex;
  pthread_cond_t start;
  pthread_cond_t finish;
};

struct WorkerArgument {
  Pool* pool;
  int32_t worker;
};

inline void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7)
  __asm__ volatile("yield");
#endif
}

inline int64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

// Looks until `found()`; false: not within the time.
template <class Found>
bool spin(const Pool* pool, const Found& found) {
  if (found()) return true;
  if (!pool->spins) return false;
  const int64_t begin = nanoseconds();
  do {
    for (int turn = 0; turn < 64; ++turn) {
      if (found()) return true;
      pause_processor();
    }
  } while (nanoseconds() - begin < kSpinNanoseconds);
  return false;
}

void take_chunks(Pool* pool, int32_t worker) {
  for (;;) {
    const int64_t begin = pool->next.fetch_add(pool->chunk, std::memory_order_relaxed);
    if (begin >= pool->n) return;
    const int64_t left = pool->n - begin;
    pool->body(pool->data, begin, begin + (left < pool->chunk ? left : pool->chunk), worker);
  }
}

// Returns when there was a loop after number `seen`, or the pool ends.
void wait_for_loop(Pool* pool, uint32_t seen) {
  const auto is_there = [&] {
    return number_of(pool->state.load()) != seen || pool->stopping.load() != 0;
  };
  if (spin(pool, is_there)) return;
  pthread_mutex_lock(&pool->mutex);
  // Whoever begins a loop looks at this after having begun it; a sleeper looks for the loop after.
  pool->sleeping.fetch_add(1);
  while (!is_there()) pthread_cond_wait(&pool->start, &pool->mutex);
  pool->sleeping.fetch_sub(1);
  pthread_mutex_unlock(&pool->mutex);
}

void wake_workers(Pool* pool) {
  if (pool->sleeping.load() == 0) return;
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->mutex);
}

// The last one to leave a closed loop wakes the caller.
void leave_loop(Pool* pool) {
  const uint32_t before = pool->state.fetch_sub(1);
  if ((before & (kJoined | kOpen)) != 1 || pool->waiting.load() == 0) return;
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_signal(&pool->finish);
  pthread_mutex_unlock(&pool->mutex);
}

void* worker_main(void* argument) {
  const WorkerArgument own = *static_cast<WorkerArgument*>(argument);
  free(argument);
  Pool* pool = own.pool;
  uint32_t seen = 0;
  for (;;) {
    wait_for_loop(pool, seen);
    if (pool->stopping.load() != 0) return nullptr;
    uint32_t state = pool->state.load();
    while ((state & kOpen) != 0 && number_of(state) != seen) {
      if (!pool->state.compare_exchange_weak(state, state + 1)) continue;
      take_chunks(pool, own.worker);
      leave_loop(pool);
      break;
    }
    seen = number_of(state);
  }
}

// Starts workers 1.., as many as the system gives; returns how many there are with the caller.
int32_t start_workers(Pool* pool, int32_t workers) {
  for (int32_t worker = 1; worker < workers; ++worker) {
    auto* argument = static_cast<WorkerArgument*>(malloc(sizeof(WorkerArgument)));
    if (argument == nullptr) return worker;
    *argument = WorkerArgument{pool, worker};
    if (pthread_create(&pool->threads[worker], nullptr, worker_main, argument) != 0) {
      free(argument);
      return worker;
    }
  }
  return workers;
}

void destroy(Pool* pool) {
  if (pool == nullptr) return;
  pool->stopping.store(1);
  wake_workers(pool);
  for (int32_t worker = 1; worker < pool->workers; ++worker)
    pthread_join(pool->threads[worker], nullptr);
  pthread_cond_destroy(&pool->finish);
  pthread_cond_destroy(&pool->start);
  pthread_mutex_destroy(&pool->mutex);
  free(pool->threads);
  delete pool;
}

// Processors that the calling thread may run on. A quota of processor time is not seen.
inline int32_t processors() {
#ifdef CPU_COUNT
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return static_cast<int32_t>(sysconf(_SC_NPROCESSORS_ONLN));
}

// A pool of `workers` workers, the calling thread among them; null if these are less than one or
// more than 4095, or the system refuses.
Pool* create(int32_t workers, bool spins) {
  if (workers < 1 || workers > static_cast<int32_t>(kJoined)) return nullptr;
  auto* pool = new (std::nothrow) Pool();
  if (pool == nullptr) return nullptr;
  pool->threads = static_cast<pthread_t*>(calloc(static_cast<size_t>(workers), sizeof(pthread_t)));
  if (pool->threads == nullptr) {
    delete pool;
    return nullptr;
  }
  pthread_mutex_init(&pool->mutex, nullptr);
  pthread_cond_init(&pool->start, nullptr);
  pthread_cond_init(&pool->finish, nullptr);
  pool->spins = spins;
  pool->workers = start_workers(pool, workers);
  if (pool->workers < workers) {
    destroy(pool);
    return nullptr;
  }
  return pool;
}

Pool* create(int32_t workers) { return create(workers, processors() >= workers); }

int32_t count_of(const Pool* pool) { return pool->workers; }

// The Threads::parallel_for of parallel.h, with the pool as `user`.
void parallel_for(void* user, int64_t n, void (*body)(void*, int64_t, int64_t, int32_t),
                  void* data) {
  auto* pool = static_cast<Pool*>(user);
  if (n <= 0) return;
  if (pool->workers == 1 || n == 1) {
    body(data, 0, n, 0);
    return;
  }
  // four chunks per worker even out unequal speeds
  const int64_t pieces = int64_t{4} * pool->workers;
  pool->body = body;
  pool->data = data;
  pool->n = n;
  pool->chunk = n / pieces > 0 ? n / pieces : 1;
  pool->next.store(0, std::memory_order_relaxed);
  // Nobody else is in a closed loop, so this alone changes its number.
  const uint32_t number = number_of(pool->state.load()) + 1;
  pool->state.store((number << kNumberShift) | kOpen);
  wake_workers(pool);
  take_chunks(pool, 0);
  pool->state.fetch_and(~kOpen);
  const auto is_alone = [&] { return (pool->state.load() & kJoined) == 0; };
  if (spin(pool, is_alone)) return;
  pthread_mutex_lock(&pool->mutex);
  pool->waiting.store(1);
  while (!is_alone()) pthread_cond_wait(&pool->finish, &pool->mutex);
  pool->waiting.store(0);
  pthread_mutex_unlock(&pool->mutex);
}

}  // namespace burin_pool
}  // namespace

#endif  // BURIN_HOSTED_POOL_H

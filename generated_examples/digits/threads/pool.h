// SPDX-License-Identifier: MIT-0
// A pool of POSIX threads behind the parallel_for of an emitted tree. Hosted systems only: a tree
// works without it. threads/<name>_threads.cpp of a tree gives it the tree's names; nothing here
// has a name that a linker sees.
//
// One loop runs at a time; a pool is used by one calling thread. Ranges are dealt in chunks from an
// atomic counter, so which worker runs what differs from run to run; results do not.
#ifndef BURIN_HOSTED_POOL_H
#define BURIN_HOSTED_POOL_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <atomic>
#include <new>

namespace {
namespace burin_pool {

// Workers wait on a condition variable for a new generation number, then take chunks until the
// counter passes n. The caller takes part as worker 0 and waits until every other worker has seen
// the generation and finished.
struct Pool {
  pthread_mutex_t mutex;
  pthread_cond_t start;
  pthread_cond_t finish;
  pthread_t* threads;
  int32_t workers;
  // under the mutex:
  uint64_t generation;
  int32_t running;
  bool stopping;
  // set before a generation starts, then constant while it runs:
  void (*body)(void*, int64_t, int64_t, int32_t);
  void* data;
  int64_t n;
  int64_t chunk;
  std::atomic<int64_t> next;
};

struct WorkerArgument {
  Pool* pool;
  int32_t worker;
};

void take_chunks(Pool* pool, int32_t worker) {
  for (;;) {
    const int64_t begin = pool->next.fetch_add(pool->chunk, std::memory_order_relaxed);
    if (begin >= pool->n) return;
    const int64_t left = pool->n - begin;
    pool->body(pool->data, begin, begin + (left < pool->chunk ? left : pool->chunk), worker);
  }
}

void* worker_main(void* argument) {
  const WorkerArgument own = *static_cast<WorkerArgument*>(argument);
  free(argument);
  Pool* pool = own.pool;
  uint64_t seen = 0;
  for (;;) {
    pthread_mutex_lock(&pool->mutex);
    while (pool->generation == seen && !pool->stopping)
      pthread_cond_wait(&pool->start, &pool->mutex);
    const bool stopping = pool->stopping;
    seen = pool->generation;
    pthread_mutex_unlock(&pool->mutex);
    if (stopping) return nullptr;
    take_chunks(pool, own.worker);
    pthread_mutex_lock(&pool->mutex);
    if (--pool->running == 0) pthread_cond_signal(&pool->finish);
    pthread_mutex_unlock(&pool->mutex);
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
  pthread_mutex_lock(&pool->mutex);
  pool->stopping = true;
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->mutex);
  for (int32_t worker = 1; worker < pool->workers; ++worker)
    pthread_join(pool->threads[worker], nullptr);
  pthread_cond_destroy(&pool->finish);
  pthread_cond_destroy(&pool->start);
  pthread_mutex_destroy(&pool->mutex);
  free(pool->threads);
  delete pool;
}

// A pool of `workers` workers, the calling thread among them; null if workers < 1 or the system
// refuses.
Pool* create(int32_t workers) {
  if (workers < 1) return nullptr;
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
  pool->workers = start_workers(pool, workers);
  if (pool->workers < workers) {
    destroy(pool);
    return nullptr;
  }
  return pool;
}

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
  pthread_mutex_lock(&pool->mutex);
  pool->body = body;
  pool->data = data;
  pool->n = n;
  pool->chunk = n / pieces > 0 ? n / pieces : 1;
  pool->next.store(0, std::memory_order_relaxed);
  pool->running = pool->workers - 1;
  ++pool->generation;
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->mutex);
  take_chunks(pool, 0);
  pthread_mutex_lock(&pool->mutex);
  while (pool->running != 0) pthread_cond_wait(&pool->finish, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
}

}  // namespace burin_pool
}  // namespace

#endif  // BURIN_HOSTED_POOL_H

// SPDX-License-Identifier: MIT-0
// The pool under the names of this tree.
#include "digits_threads.h"

#include "pool.h"

digits_threads* digits_threads_create(int32_t workers) {
  return reinterpret_cast<digits_threads*>(burin_pool::create(workers));
}

void digits_threads_destroy(digits_threads* pool) {
  burin_pool::destroy(reinterpret_cast<burin_pool::Pool*>(pool));
}

int32_t digits_threads_count(const digits_threads* pool) {
  return burin_pool::count_of(reinterpret_cast<const burin_pool::Pool*>(pool));
}

void digits_threads_parallel_for(
    void* pool,
    int64_t n,
    void (*body)(void* data, int64_t begin, int64_t end, int32_t worker),
    void* data) {
  burin_pool::parallel_for(pool, n, body, data);
}

// SPDX-License-Identifier: MIT-0
// A pool of POSIX threads for digits_context.parallel_for; no part of the library.
//
//   digits_threads* pool = digits_threads_create(4);
//   context.parallel_for = digits_threads_parallel_for;
//   context.parallel_user = pool;
//   ...
//   digits_threads_destroy(pool);
//
// One loop runs at a time; a pool is used by one calling thread.
#ifndef DIGITS_THREADS_H
#define DIGITS_THREADS_H

#include <stdint.h>

// What a library that is built with -fvisibility=hidden shows.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct digits_threads digits_threads;

// A pool of `workers` workers, the calling thread among them; null if workers < 1 or the system
// refuses. At most DIGITS_WORKERS.
digits_threads* digits_threads_create(int32_t workers);
void digits_threads_destroy(digits_threads* pool);
int32_t digits_threads_count(const digits_threads* pool);

// For digits_context.parallel_for, with the pool as parallel_user.
void digits_threads_parallel_for(
    void* pool,
    int64_t n,
    void (*body)(void* data, int64_t begin, int64_t end, int32_t worker),
    void* data);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

// SPDX-License-Identifier: MIT-0
// Interface of the network digits
//
// Emitted by burin. One context serves one run at a time; several contexts are independent. The
// caller owns all memory. Functions that return int32_t return 0, or a status that
// digits_strerror knows; a wrong argument is a status, never a crash.
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>
#include <stdint.h>

#include "digits_content.h"

// What a library that is built with -fvisibility=hidden shows.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

// In front of everything, so that a member of one of these names is called so for everybody.
// The functions' names carry the content of the tree: where two trees have one name, neither is taken
// for the other, and their libraries do not link into one program.
#define digits_arena_bytes DIGITS_CONTENT(digits_arena_bytes_)
#define digits_init DIGITS_CONTENT(digits_init_)
#define digits_run DIGITS_CONTENT(digits_run_)
#define digits_strerror DIGITS_CONTENT(digits_strerror_)
#define digits_explain DIGITS_CONTENT(digits_explain_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// No number is enough for all sizes, since nothing bounds batch:
// digits_arena_bytes says how many some of them need. Ranges for all (--dim) give a number here.
#define DIGITS_ARENA_ALIGN 64

// The weights, in bytes. They must start at a multiple of 8; 64 is faster.
#define DIGITS_WEIGHTS_BYTES 92160
#define DIGITS_WEIGHTS_ALIGN 64

// The most threads that digits_context.parallel_for may use.
#define DIGITS_WORKERS 4

// The sizes that only the caller knows.
typedef struct digits_dims {
  // from 1 to 8796093022208
  int64_t batch;
} digits_dims;

typedef struct digits_inputs {
  // image: f32[batch, 1, 8, 8]
  const float* image;
} digits_inputs;

typedef struct digits_outputs {
  // probabilities: f32[batch, 10]
  float* probabilities;
} digits_outputs;

// What a status is about.
typedef struct digits_fault {
  // The name of a size, value or tensor; null where the status says all.
  const char* what;
  // It was `value`, not from `least` to `most`; all 0 where it is not about a range.
  int64_t value, least, most;
} digits_fault;

// A loop that threads of the caller share: it runs body(data, begin, end, worker) for ranges that
// together are [0, n), in any order and on any threads, and returns when all are done. Workers have
// numbers from 0 to DIGITS_WORKERS - 1; ranges that run at the same time have
// different ones. Results do not depend on how the loop is shared.
typedef void (*digits_body)(void* data, int64_t begin, int64_t end, int32_t worker);
typedef void (*digits_parallel_for)(void* user, int64_t n, digits_body body, void* data);

// All state. digits_init fills it in; the caller may then set the first two fields, and read `fault`.
typedef struct digits_context {
  // Null, as digits_init leaves it: one thread.
  digits_parallel_for parallel_for;
  // The first argument of parallel_for.
  void* parallel_user;
  digits_fault fault;
  // The rest is not the caller's.
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} digits_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t digits_arena_bytes(const digits_dims* dims);

// Checks the caller's memory and remembers it, until the next digits_init. An arena of
// fewer bytes is a status here or in digits_run.
// `weights` are the bytes of weights/digits.bin; they are only read.
int32_t digits_init(
    digits_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t digits_run(
    digits_context* context,
    const digits_dims* dims,
    const digits_inputs* inputs,
    digits_outputs* outputs);

// What a status means: one line of English, "unknown status" for other numbers.
const char* digits_strerror(int32_t status);

// The same with what context->fault says, for the status that the context returned last: a line,
// cut to `bytes` with the 0 at its end. Returns the length of all of it, as snprintf does.
size_t digits_explain(
    const digits_context* context,
    int32_t status,
    char* text,
    size_t bytes);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

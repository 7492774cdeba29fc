// SPDX-License-Identifier: MIT-0
// Interface of the network softmax
//
// Emitted by burin. One context serves one run at a time; several contexts are independent. The
// caller owns all memory. Functions that return int32_t return 0, or a status that
// softmax_strerror knows; a wrong argument is a status, never a crash.
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include <stddef.h>
#include <stdint.h>

#include "softmax_content.h"

// What a library that is built with -fvisibility=hidden shows.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

// In front of everything, so that a member of one of these names is called so for everybody.
// The functions' names carry the content of the tree: where two trees have one name, neither is taken
// for the other, and their libraries do not link into one program.
#define softmax_arena_bytes SOFTMAX_CONTENT(softmax_arena_bytes_)
#define softmax_init SOFTMAX_CONTENT(softmax_init_)
#define softmax_run SOFTMAX_CONTENT(softmax_run_)
#define softmax_strerror SOFTMAX_CONTENT(softmax_strerror_)
#define softmax_explain SOFTMAX_CONTENT(softmax_explain_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// Enough for all sizes in range; softmax_arena_bytes says how many some of them need.
#define SOFTMAX_ARENA_BYTES 0
#define SOFTMAX_ARENA_ALIGN 64

// The weights are part of the program.
#define SOFTMAX_WEIGHTS_BYTES 0

// The most threads that softmax_context.parallel_for may use.
#define SOFTMAX_WORKERS 1

// The sizes that only the caller knows.
typedef struct softmax_dims {
  // from 1 to 262144
  int64_t batch;
  // from 1 to 262144
  int64_t rows;
  // from 1 to 262144
  int64_t cols;
} softmax_dims;

typedef struct softmax_inputs {
  // x: f32[batch, rows, cols]
  const float* x;
} softmax_inputs;

typedef struct softmax_outputs {
  // last: f32[batch, rows, cols]
  float* last;
  // middle: f32[batch, rows, cols]
  float* middle;
} softmax_outputs;

// What a status is about.
typedef struct softmax_fault {
  // The name of a size, value or tensor; null where the status says all.
  const char* what;
  // It was `value`, not from `least` to `most`; all 0 where it is not about a range.
  int64_t value, least, most;
} softmax_fault;

// A loop that threads of the caller share: it runs body(data, begin, end, worker) for ranges that
// together are [0, n), in any order and on any threads, and returns when all are done. Workers have
// numbers from 0 to SOFTMAX_WORKERS - 1; ranges that run at the same time have
// different ones. Results do not depend on how the loop is shared.
typedef void (*softmax_body)(void* data, int64_t begin, int64_t end, int32_t worker);
typedef void (*softmax_parallel_for)(void* user, int64_t n, softmax_body body, void* data);

// All state. softmax_init fills it in; the caller may then set the first two fields, and read `fault`.
typedef struct softmax_context {
  // Null, as softmax_init leaves it: one thread.
  softmax_parallel_for parallel_for;
  // The first argument of parallel_for.
  void* parallel_user;
  softmax_fault fault;
  // The rest is not the caller's.
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} softmax_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t softmax_arena_bytes(const softmax_dims* dims);

// Checks the caller's memory and remembers it, until the next softmax_init. An arena of
// fewer bytes is a status here or in softmax_run.
// `weights` must be null and `weights_bytes` 0.
int32_t softmax_init(
    softmax_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t softmax_run(
    softmax_context* context,
    const softmax_dims* dims,
    const softmax_inputs* inputs,
    softmax_outputs* outputs);

// What a status means: one line of English, "unknown status" for other numbers.
const char* softmax_strerror(int32_t status);

// The same with what context->fault says, for the status that the context returned last: a line,
// cut to `bytes` with the 0 at its end. Returns the length of all of it, as snprintf does.
size_t softmax_explain(
    const softmax_context* context,
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

// SPDX-License-Identifier: MIT-0
// Interface of the network qdq_conv
//
// Emitted by burin. One context serves one run at a time; several contexts are independent. The
// caller owns all memory. Functions that return int32_t return 0, or a status that
// qdq_conv_strerror knows; a wrong argument is a status, never a crash.
#ifndef QDQ_CONV_H
#define QDQ_CONV_H

#include <stddef.h>
#include <stdint.h>

#include "qdq_conv_content.h"

// What a library that is built with -fvisibility=hidden shows.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

// In front of everything, so that a member of one of these names is called so for everybody.
// The functions' names carry the content of the tree: where two trees have one name, neither is taken
// for the other, and their libraries do not link into one program.
#define qdq_conv_arena_bytes QDQ_CONV_CONTENT(qdq_conv_arena_bytes_)
#define qdq_conv_init QDQ_CONV_CONTENT(qdq_conv_init_)
#define qdq_conv_run QDQ_CONV_CONTENT(qdq_conv_run_)
#define qdq_conv_strerror QDQ_CONV_CONTENT(qdq_conv_strerror_)
#define qdq_conv_explain QDQ_CONV_CONTENT(qdq_conv_explain_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
#define QDQ_CONV_ARENA_BYTES 4352
#define QDQ_CONV_ARENA_ALIGN 128

// The weights are part of the program.
#define QDQ_CONV_WEIGHTS_BYTES 0

// The most threads that qdq_conv_context.parallel_for may use.
#define QDQ_CONV_WORKERS 1

typedef struct qdq_conv_inputs {
  // x: f32[1, 4, 16, 16]
  const float* x;
} qdq_conv_inputs;

typedef struct qdq_conv_outputs {
  // y: u8[1, 6, 8, 16]
  uint8_t* y;
} qdq_conv_outputs;

// What a status is about.
typedef struct qdq_conv_fault {
  // The name of a size, value or tensor; null where the status says all.
  const char* what;
  // It was `value`, not from `least` to `most`; all 0 where it is not about a range.
  int64_t value, least, most;
} qdq_conv_fault;

// A loop that threads of the caller share: it runs body(data, begin, end, worker) for ranges that
// together are [0, n), in any order and on any threads, and returns when all are done. Workers have
// numbers from 0 to QDQ_CONV_WORKERS - 1; ranges that run at the same time have
// different ones. Results do not depend on how the loop is shared.
typedef void (*qdq_conv_body)(void* data, int64_t begin, int64_t end, int32_t worker);
typedef void (*qdq_conv_parallel_for)(void* user, int64_t n, qdq_conv_body body, void* data);

// All state. qdq_conv_init fills it in; the caller may then set the first two fields, and read `fault`.
typedef struct qdq_conv_context {
  // Null, as qdq_conv_init leaves it: one thread.
  qdq_conv_parallel_for parallel_for;
  // The first argument of parallel_for.
  void* parallel_user;
  qdq_conv_fault fault;
  // The rest is not the caller's.
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} qdq_conv_context;

// The bytes of arena that a run needs.
size_t qdq_conv_arena_bytes(void);

// Checks the caller's memory and remembers it, until the next qdq_conv_init. An arena of
// fewer bytes is a status here or in qdq_conv_run.
// `weights` must be null and `weights_bytes` 0.
int32_t qdq_conv_init(
    qdq_conv_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t qdq_conv_run(
    qdq_conv_context* context,
    const qdq_conv_inputs* inputs,
    qdq_conv_outputs* outputs);

// What a status means: one line of English, "unknown status" for other numbers.
const char* qdq_conv_strerror(int32_t status);

// The same with what context->fault says, for the status that the context returned last: a line,
// cut to `bytes` with the 0 at its end. Returns the length of all of it, as snprintf does.
size_t qdq_conv_explain(
    const qdq_conv_context* context,
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

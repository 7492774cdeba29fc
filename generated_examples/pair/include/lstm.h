// SPDX-License-Identifier: MIT-0
// Interface of the network lstm
//
// Emitted by burin. One context serves one run at a time; several contexts are independent. The
// caller owns all memory. Functions that return int32_t return 0, or a status that
// lstm_strerror knows; a wrong argument is a status, never a crash.
#ifndef LSTM_H
#define LSTM_H

#include <stddef.h>
#include <stdint.h>

#include "lstm_content.h"

// What a library that is built with -fvisibility=hidden shows.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

// In front of everything, so that a member of one of these names is called so for everybody.
// The functions' names carry the content of the tree: where two trees have one name, neither is taken
// for the other, and their libraries do not link into one program.
#define lstm_arena_bytes LSTM_CONTENT(lstm_arena_bytes_)
#define lstm_init LSTM_CONTENT(lstm_init_)
#define lstm_run LSTM_CONTENT(lstm_run_)
#define lstm_strerror LSTM_CONTENT(lstm_strerror_)
#define lstm_explain LSTM_CONTENT(lstm_explain_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// No number is enough for all sizes, since nothing bounds batch, seq:
// lstm_arena_bytes says how many some of them need. Ranges for all (--dim) give a number here.
#define LSTM_ARENA_ALIGN 64

// The weights are part of the program.
#define LSTM_WEIGHTS_BYTES 0

// The most threads that lstm_context.parallel_for may use.
#define LSTM_WORKERS 1

// The sizes that only the caller knows.
typedef struct lstm_dims {
  // from 1 to 67108864
  int64_t seq;
  // from 1 to 67108864
  int64_t batch;
} lstm_dims;

typedef struct lstm_inputs {
  // x: f32[seq, batch, 5]
  const float* x;
  // h0: f32[2, batch, 4]
  const float* h0;
  // c0: f32[2, batch, 4]
  const float* c0;
} lstm_inputs;

typedef struct lstm_outputs {
  // y: f32[seq, 2, batch, 4]
  float* y;
  // y_h: f32[2, batch, 4]
  float* y_h;
  // y_c: f32[2, batch, 4]
  float* y_c;
} lstm_outputs;

// What a status is about.
typedef struct lstm_fault {
  // The name of a size, value or tensor; null where the status says all.
  const char* what;
  // It was `value`, not from `least` to `most`; all 0 where it is not about a range.
  int64_t value, least, most;
} lstm_fault;

// A loop that threads of the caller share: it runs body(data, begin, end, worker) for ranges that
// together are [0, n), in any order and on any threads, and returns when all are done. Workers have
// numbers from 0 to LSTM_WORKERS - 1; ranges that run at the same time have
// different ones. Results do not depend on how the loop is shared.
typedef void (*lstm_body)(void* data, int64_t begin, int64_t end, int32_t worker);
typedef void (*lstm_parallel_for)(void* user, int64_t n, lstm_body body, void* data);

// All state. lstm_init fills it in; the caller may then set the first two fields, and read `fault`.
typedef struct lstm_context {
  // Null, as lstm_init leaves it: one thread.
  lstm_parallel_for parallel_for;
  // The first argument of parallel_for.
  void* parallel_user;
  lstm_fault fault;
  // The rest is not the caller's.
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} lstm_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t lstm_arena_bytes(const lstm_dims* dims);

// Checks the caller's memory and remembers it, until the next lstm_init. An arena of
// fewer bytes is a status here or in lstm_run.
// `weights` must be null and `weights_bytes` 0.
int32_t lstm_init(
    lstm_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t lstm_run(
    lstm_context* context,
    const lstm_dims* dims,
    const lstm_inputs* inputs,
    lstm_outputs* outputs);

// What a status means: one line of English, "unknown status" for other numbers.
const char* lstm_strerror(int32_t status);

// The same with what context->fault says, for the status that the context returned last: a line,
// cut to `bytes` with the 0 at its end. Returns the length of all of it, as snprintf does.
size_t lstm_explain(
    const lstm_context* context,
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

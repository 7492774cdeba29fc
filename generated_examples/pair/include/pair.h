// SPDX-License-Identifier: MIT-0
// Interface of the network pair
//
// Emitted by burin. One context serves one run at a time; several contexts are independent. The
// caller owns all memory. Functions that return int32_t return 0, or a status that
// pair_strerror knows; a wrong argument is a status, never a crash.
#ifndef PAIR_H
#define PAIR_H

#include <stddef.h>
#include <stdint.h>

#include "pair_content.h"

// What a library that is built with -fvisibility=hidden shows.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

// In front of everything, so that a member of one of these names is called so for everybody.
// The functions' names carry the content of the tree: where two trees have one name, neither is taken
// for the other, and their libraries do not link into one program.
#define pair_arena_bytes PAIR_CONTENT(pair_arena_bytes_)
#define pair_init PAIR_CONTENT(pair_init_)
#define pair_run PAIR_CONTENT(pair_run_)
#define pair_strerror PAIR_CONTENT(pair_strerror_)
#define pair_explain PAIR_CONTENT(pair_explain_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// No number is enough for all sizes, since nothing bounds lstm.batch, lstm.seq:
// pair_arena_bytes says how many some of them need. Ranges for all (--dim) give a number here.
#define PAIR_ARENA_ALIGN 64

// The weights are part of the program.
#define PAIR_WEIGHTS_BYTES 0

// The most threads that pair_context.parallel_for may use.
#define PAIR_WORKERS 1

// The sizes that only the caller knows.
typedef struct pair_dims {
  // from 1 to 262144
  int64_t lstm_seq;
  // from 1 to 262144
  int64_t lstm_batch;
  // from 1 to 262144
  int64_t softmax_batch;
  // from 1 to 262144
  int64_t softmax_rows;
  // from 1 to 262144
  int64_t softmax_cols;
} pair_dims;

typedef struct pair_inputs {
  // lstm.x: f32["lstm.seq", "lstm.batch", 5]
  const float* lstm_x;
  // lstm.h0: f32[2, "lstm.batch", 4]
  const float* lstm_h0;
  // lstm.c0: f32[2, "lstm.batch", 4]
  const float* lstm_c0;
  // softmax.x: f32["softmax.batch", "softmax.rows", "softmax.cols"]
  const float* softmax_x;
} pair_inputs;

typedef struct pair_outputs {
  // lstm.y: f32["lstm.seq", 2, "lstm.batch", 4]
  float* lstm_y;
  // lstm.y_h: f32[2, "lstm.batch", 4]
  float* lstm_y_h;
  // lstm.y_c: f32[2, "lstm.batch", 4]
  float* lstm_y_c;
  // softmax.last: f32["softmax.batch", "softmax.rows", "softmax.cols"]
  float* softmax_last;
  // softmax.middle: f32["softmax.batch", "softmax.rows", "softmax.cols"]
  float* softmax_middle;
} pair_outputs;

// What a status is about.
typedef struct pair_fault {
  // The name of a size, value or tensor; null where the status says all.
  const char* what;
  // It was `value`, not from `least` to `most`; all 0 where it is not about a range.
  int64_t value, least, most;
} pair_fault;

// A loop that threads of the caller share: it runs body(data, begin, end, worker) for ranges that
// together are [0, n), in any order and on any threads, and returns when all are done. Workers have
// numbers from 0 to PAIR_WORKERS - 1; ranges that run at the same time have
// different ones. Results do not depend on how the loop is shared.
typedef void (*pair_body)(void* data, int64_t begin, int64_t end, int32_t worker);
typedef void (*pair_parallel_for)(void* user, int64_t n, pair_body body, void* data);

// All state. pair_init fills it in; the caller may then set the first two fields, and read `fault`.
typedef struct pair_context {
  // Null, as pair_init leaves it: one thread.
  pair_parallel_for parallel_for;
  // The first argument of parallel_for.
  void* parallel_user;
  pair_fault fault;
  // The rest is not the caller's.
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} pair_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t pair_arena_bytes(const pair_dims* dims);

// Checks the caller's memory and remembers it, until the next pair_init. An arena of
// fewer bytes is a status here or in pair_run.
// `weights` must be null and `weights_bytes` 0.
int32_t pair_init(
    pair_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t pair_run(
    pair_context* context,
    const pair_dims* dims,
    const pair_inputs* inputs,
    pair_outputs* outputs);

// What a status means: one line of English, "unknown status" for other numbers.
const char* pair_strerror(int32_t status);

// The same with what context->fault says, for the status that the context returned last: a line,
// cut to `bytes` with the 0 at its end. Returns the length of all of it, as snprintf does.
size_t pair_explain(
    const pair_context* context,
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

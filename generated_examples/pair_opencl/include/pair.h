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
#define pair_init_opencl PAIR_CONTENT(pair_init_opencl_)
#define pair_release PAIR_CONTENT(pair_release_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// No number is enough for all sizes, since nothing bounds branches.batch, branches.h, branches.w:
// pair_arena_bytes says how many some of them need. Ranges for all (--dim) give a number here.
#define PAIR_ARENA_ALIGN 128

// The weights are part of the program.
#define PAIR_WEIGHTS_BYTES 0

// The sizes that only the caller knows.
typedef struct pair_dims {
  // from 1 to 65536
  int64_t branches_batch;
  // from 2 to 65536
  int64_t branches_h;
  // from 2 to 65536
  int64_t branches_w;
  // from 1 to 65536
  int64_t branches_n;
  // from 1 to 65536
  int64_t softmax_batch;
  // from 1 to 65536
  int64_t softmax_rows;
  // from 1 to 65536
  int64_t softmax_cols;
} pair_dims;

typedef struct pair_inputs {
  // branches.x: f32["branches.batch", 6, "branches.h", "branches.w"]
  const float* branches_x;
  // branches.rows: f32["branches.n", 200]
  const float* branches_rows;
  // softmax.x: f32["softmax.batch", "softmax.rows", "softmax.cols"]
  const float* softmax_x;
} pair_inputs;

typedef struct pair_outputs {
  // branches.y: f32["branches.batch", 38, ("branches.h" // 2), ("branches.w" // 2)]
  float* branches_y;
  // branches.p: f32["branches.n", 200]
  float* branches_p;
  // branches.q: f32["branches.n", 200]
  float* branches_q;
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

// What the caller may hand over; zeros, or no such structure: the first GPU of the machine, else
// its first device.
typedef struct pair_opencl {
  // A cl_context, a device of it, and an in-order cl_command_queue of both: all three or none. Which
  // they are is checked; that they are such handles is not. They stay the caller's.
  void* context;
  void* device;
  void* queue;
  // The program as an earlier pair_init_opencl gave it to binary_room; null: it is compiled. So
  // it is where these are not the bytes of this program for this device and driver.
  const uint8_t* binary;
  size_t binary_bytes;
  // Called after compiling: memory of the caller for the program's bytes, which are there when
  // pair_init_opencl returns; null: not wanted.
  void* (*binary_room)(void* user, size_t bytes);
  // What the driver's compiler says of kernels that it does not take.
  void (*message)(void* user, const char* text);
  // The first argument of both.
  void* user;
} pair_opencl;

// All state. The first fields say what the last run did; the rest is not the caller's.
typedef struct pair_context {
  int64_t launches;
  // Where the host had to wait for the device before the end.
  int64_t synchronisations;
  int64_t bytes_to_device;
  int64_t bytes_to_host;
  pair_fault fault;
  const uint8_t* weights;
  uint32_t ready;
  uint64_t device[64];
  void* kernels[5];
} pair_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t pair_arena_bytes(const pair_dims* dims);

// Makes what a run needs on the device, which the arena lies on as well: `arena` is not used and
// may be null, `arena_bytes` 0. The weights are remembered until pair_release.
// `weights` must be null and `weights_bytes` 0.
int32_t pair_init(
    pair_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// The same with OpenCL objects and functions of the caller; `opencl` may be null.
int32_t pair_init_opencl(
    pair_context* context,
    const pair_opencl* opencl,
    const void* weights,
    size_t weights_bytes);

// Gives back all that the context holds of OpenCL; before it is initialised again or forgotten.
void pair_release(pair_context* context);

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

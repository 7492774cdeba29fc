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
#define softmax_init_opencl SOFTMAX_CONTENT(softmax_init_opencl_)
#define softmax_release SOFTMAX_CONTENT(softmax_release_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// Enough for all sizes in range; softmax_arena_bytes says how many some of them need.
#define SOFTMAX_ARENA_BYTES 0
#define SOFTMAX_ARENA_ALIGN 128

// The weights are part of the program.
#define SOFTMAX_WEIGHTS_BYTES 0

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

// What the caller may hand over; zeros, or no such structure: the first GPU of the machine, else
// its first device.
typedef struct softmax_opencl {
  // A cl_context, a device of it, and an in-order cl_command_queue of both: all three or none. Which
  // they are is checked; that they are such handles is not. They stay the caller's.
  void* context;
  void* device;
  void* queue;
  // The program as an earlier softmax_init_opencl gave it to binary_room; null: it is compiled. So
  // it is where these are not the bytes of this program for this device and driver.
  const uint8_t* binary;
  size_t binary_bytes;
  // Called after compiling: memory of the caller for the program's bytes, which are there when
  // softmax_init_opencl returns; null: not wanted.
  void* (*binary_room)(void* user, size_t bytes);
  // What the driver's compiler says of kernels that it does not take.
  void (*message)(void* user, const char* text);
  // The first argument of both.
  void* user;
  // An initialised context of pair: its device, queue and weights are used, so that these are not
  // there twice. context, device and queue are null then. It is released after this one.
  const struct pair_context* whole;
} softmax_opencl;

// All state. The first fields say what the last run did; the rest is not the caller's.
typedef struct softmax_context {
  int64_t launches;
  // Where the host had to wait for the device before the end.
  int64_t synchronisations;
  int64_t bytes_to_device;
  int64_t bytes_to_host;
  softmax_fault fault;
  const uint8_t* weights;
  uint32_t ready;
  uint64_t device[64];
  void* kernels[1];
} softmax_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t softmax_arena_bytes(const softmax_dims* dims);

// Makes what a run needs on the device, which the arena lies on as well: `arena` is not used and
// may be null, `arena_bytes` 0. The weights are remembered until softmax_release.
// `weights` must be null and `weights_bytes` 0.
int32_t softmax_init(
    softmax_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// The same with OpenCL objects and functions of the caller; `opencl` may be null.
int32_t softmax_init_opencl(
    softmax_context* context,
    const softmax_opencl* opencl,
    const void* weights,
    size_t weights_bytes);

// Gives back all that the context holds of OpenCL; before it is initialised again or forgotten.
void softmax_release(softmax_context* context);

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

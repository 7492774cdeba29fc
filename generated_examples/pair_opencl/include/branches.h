// SPDX-License-Identifier: MIT-0
// Interface of the network branches
//
// Emitted by burin. One context serves one run at a time; several contexts are independent. The
// caller owns all memory. Functions that return int32_t return 0, or a status that
// branches_strerror knows; a wrong argument is a status, never a crash.
#ifndef BRANCHES_H
#define BRANCHES_H

#include <stddef.h>
#include <stdint.h>

#include "branches_content.h"

// What a library that is built with -fvisibility=hidden shows.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

// In front of everything, so that a member of one of these names is called so for everybody.
// The functions' names carry the content of the tree: where two trees have one name, neither is taken
// for the other, and their libraries do not link into one program.
#define branches_arena_bytes BRANCHES_CONTENT(branches_arena_bytes_)
#define branches_init BRANCHES_CONTENT(branches_init_)
#define branches_run BRANCHES_CONTENT(branches_run_)
#define branches_strerror BRANCHES_CONTENT(branches_strerror_)
#define branches_explain BRANCHES_CONTENT(branches_explain_)
#define branches_init_opencl BRANCHES_CONTENT(branches_init_opencl_)
#define branches_release BRANCHES_CONTENT(branches_release_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// No number is enough for all sizes, since nothing bounds batch, h, w:
// branches_arena_bytes says how many some of them need. Ranges for all (--dim) give a number here.
#define BRANCHES_ARENA_ALIGN 128

// The weights are part of the program.
#define BRANCHES_WEIGHTS_BYTES 0

// The sizes that only the caller knows.
typedef struct branches_dims {
  // from 1 to 65536
  int64_t batch;
  // from 2 to 65536
  int64_t h;
  // from 2 to 65536
  int64_t w;
  // from 1 to 65536
  int64_t n;
} branches_dims;

typedef struct branches_inputs {
  // x: f32[batch, 6, h, w]
  const float* x;
  // rows: f32[n, 200]
  const float* rows;
} branches_inputs;

typedef struct branches_outputs {
  // y: f32[batch, 38, (h // 2), (w // 2)]
  float* y;
  // p: f32[n, 200]
  float* p;
  // q: f32[n, 200]
  float* q;
} branches_outputs;

// What a status is about.
typedef struct branches_fault {
  // The name of a size, value or tensor; null where the status says all.
  const char* what;
  // It was `value`, not from `least` to `most`; all 0 where it is not about a range.
  int64_t value, least, most;
} branches_fault;

// What the caller may hand over; zeros, or no such structure: the first GPU of the machine, else
// its first device.
typedef struct branches_opencl {
  // A cl_context, a device of it, and an in-order cl_command_queue of both: all three or none. Which
  // they are is checked; that they are such handles is not. They stay the caller's.
  void* context;
  void* device;
  void* queue;
  // The program as an earlier branches_init_opencl gave it to binary_room; null: it is compiled. So
  // it is where these are not the bytes of this program for this device and driver.
  const uint8_t* binary;
  size_t binary_bytes;
  // Called after compiling: memory of the caller for the program's bytes, which are there when
  // branches_init_opencl returns; null: not wanted.
  void* (*binary_room)(void* user, size_t bytes);
  // What the driver's compiler says of kernels that it does not take.
  void (*message)(void* user, const char* text);
  // The first argument of both.
  void* user;
  // An initialised context of pair: its device, queue and weights are used, so that these are not
  // there twice. context, device and queue are null then. It is released after this one.
  const struct pair_context* whole;
} branches_opencl;

// All state. The first fields say what the last run did; the rest is not the caller's.
typedef struct branches_context {
  int64_t launches;
  // Where the host had to wait for the device before the end.
  int64_t synchronisations;
  int64_t bytes_to_device;
  int64_t bytes_to_host;
  branches_fault fault;
  const uint8_t* weights;
  uint32_t ready;
  uint64_t device[64];
  void* kernels[5];
} branches_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t branches_arena_bytes(const branches_dims* dims);

// Makes what a run needs on the device, which the arena lies on as well: `arena` is not used and
// may be null, `arena_bytes` 0. The weights are remembered until branches_release.
// `weights` must be null and `weights_bytes` 0.
int32_t branches_init(
    branches_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// The same with OpenCL objects and functions of the caller; `opencl` may be null.
int32_t branches_init_opencl(
    branches_context* context,
    const branches_opencl* opencl,
    const void* weights,
    size_t weights_bytes);

// Gives back all that the context holds of OpenCL; before it is initialised again or forgotten.
void branches_release(branches_context* context);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t branches_run(
    branches_context* context,
    const branches_dims* dims,
    const branches_inputs* inputs,
    branches_outputs* outputs);

// What a status means: one line of English, "unknown status" for other numbers.
const char* branches_strerror(int32_t status);

// The same with what context->fault says, for the status that the context returned last: a line,
// cut to `bytes` with the 0 at its end. Returns the length of all of it, as snprintf does.
size_t branches_explain(
    const branches_context* context,
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

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
#define digits_init_opencl DIGITS_CONTENT(digits_init_opencl_)
#define digits_release DIGITS_CONTENT(digits_release_)

#ifdef __cplusplus
extern "C" {
#endif

// The working memory, in bytes, and the multiple of bytes that it must start at.
// No number is enough for all sizes, since nothing bounds batch:
// digits_arena_bytes says how many some of them need. Ranges for all (--dim) give a number here.
#define DIGITS_ARENA_ALIGN 128

// The weights, in bytes. They must start at a multiple of 8; 64 is faster.
#define DIGITS_WEIGHTS_BYTES 117760
#define DIGITS_WEIGHTS_ALIGN 64

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

// What the caller may hand over; zeros, or no such structure: the first GPU of the machine, else
// its first device.
typedef struct digits_opencl {
  // A cl_context, a device of it, and an in-order cl_command_queue of both: all three or none. Which
  // they are is checked; that they are such handles is not. They stay the caller's.
  void* context;
  void* device;
  void* queue;
  // The program as an earlier digits_init_opencl gave it to binary_room; null: it is compiled. So
  // it is where these are not the bytes of this program for this device and driver.
  const uint8_t* binary;
  size_t binary_bytes;
  // Called after compiling: memory of the caller for the program's bytes, which are there when
  // digits_init_opencl returns; null: not wanted.
  void* (*binary_room)(void* user, size_t bytes);
  // What the driver's compiler says of kernels that it does not take.
  void (*message)(void* user, const char* text);
  // The first argument of both.
  void* user;
} digits_opencl;

// All state. The first fields say what the last run did; the rest is not the caller's.
typedef struct digits_context {
  int64_t launches;
  // Where the host had to wait for the device before the end.
  int64_t synchronisations;
  int64_t bytes_to_device;
  int64_t bytes_to_host;
  digits_fault fault;
  const uint8_t* weights;
  uint32_t ready;
  uint64_t device[64];
  void* kernels[10];
} digits_context;

// The bytes of arena that a run with these sizes needs; 0 when a size is out of range.
size_t digits_arena_bytes(const digits_dims* dims);

// Makes what a run needs on the device, which the arena lies on as well: `arena` is not used and
// may be null, `arena_bytes` 0. The weights are remembered until digits_release.
// `weights` are the bytes of weights/digits.bin; they are only read.
int32_t digits_init(
    digits_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes);

// The same with OpenCL objects and functions of the caller; `opencl` may be null.
int32_t digits_init_opencl(
    digits_context* context,
    const digits_opencl* opencl,
    const void* weights,
    size_t weights_bytes);

// Gives back all that the context holds of OpenCL; before it is initialised again or forgotten.
void digits_release(digits_context* context);

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

// Interface of the network digits
//
// Emitted by burin. One context serves one thread at a time; several contexts are independent.
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sizes in bytes. The arena must start at a multiple of the alignment.
#define DIGITS_ARENA_ALIGN 64
#define DIGITS_WEIGHTS_BYTES 91392
#define DIGITS_WEIGHTS_ALIGN 64  // for speed; 8 is needed

// The sizes that only the caller knows.
typedef struct digits_dims {
  // from 1 to 17592186044416
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

// All state; its fields belong to the functions below.
typedef struct digits_context {
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} digits_context;

// The arena that a run with these sizes needs; 0 when one is out of range.
size_t digits_arena_bytes(const digits_dims* dims);

// Checks and remembers the caller's memory. Weights: the bytes of weights/digits.bin, or null and 0 when
// they are part of the program. Returns 0, or a status for digits_strerror.
int32_t digits_init(digits_context* context, void* arena, size_t arena_bytes, const void* weights, size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t digits_run(digits_context* context, const digits_dims* dims, const digits_inputs* inputs, digits_outputs* outputs);

const char* digits_strerror(int32_t status);

#ifdef __cplusplus
}
#endif

#endif

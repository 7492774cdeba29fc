// Interface of the network softmax_sym
//
// Emitted by burin. One context serves one thread at a time; several contexts are independent.
#ifndef SOFTMAX_SYM_H
#define SOFTMAX_SYM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sizes in bytes. The arena must start at a multiple of the alignment.
#define SOFTMAX_SYM_ARENA_ALIGN 64
#define SOFTMAX_SYM_ARENA_BYTES 0
#define SOFTMAX_SYM_WEIGHTS_BYTES 0  // they are part of the program

// The sizes that only the caller knows.
typedef struct softmax_sym_dims {
  // from 1 to 262144
  int64_t batch;
  // from 1 to 262144
  int64_t rows;
  // from 1 to 262144
  int64_t cols;
} softmax_sym_dims;

typedef struct softmax_sym_inputs {
  // x: f32[batch, rows, cols]
  const float* x;
} softmax_sym_inputs;

typedef struct softmax_sym_outputs {
  // last: f32[batch, rows, cols]
  float* last;
  // middle: f32[batch, rows, cols]
  float* middle;
} softmax_sym_outputs;

// All state; its fields belong to the functions below.
typedef struct softmax_sym_context {
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} softmax_sym_context;

// The arena that a run with these sizes needs; 0 when one is out of range.
size_t softmax_sym_arena_bytes(const softmax_sym_dims* dims);

// Checks and remembers the caller's memory. Weights: the bytes of weights/softmax_sym.bin, or null and 0 when
// they are part of the program. Returns 0, or a status for softmax_sym_strerror.
int32_t softmax_sym_init(softmax_sym_context* context, void* arena, size_t arena_bytes, const void* weights, size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t softmax_sym_run(softmax_sym_context* context, const softmax_sym_dims* dims, const softmax_sym_inputs* inputs, softmax_sym_outputs* outputs);

const char* softmax_sym_strerror(int32_t status);

#ifdef __cplusplus
}
#endif

#endif

// Interface of the network lstm
//
// Emitted by burin. One context serves one thread at a time; several contexts are independent.
#ifndef LSTM_H
#define LSTM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sizes in bytes. The arena must start at a multiple of the alignment.
#define LSTM_ARENA_ALIGN 64
#define LSTM_WEIGHTS_BYTES 0  // they are part of the program

// The sizes that only the caller knows.
typedef struct lstm_dims {
  // from 1 to 33554432
  int64_t seq;
  // from 1 to 33554432
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

// All state; its fields belong to the functions below.
typedef struct lstm_context {
  uint8_t* arena;
  size_t arena_bytes;
  const uint8_t* weights;
  uint32_t ready;
} lstm_context;

// The arena that a run with these sizes needs; 0 when one is out of range.
size_t lstm_arena_bytes(const lstm_dims* dims);

// Checks and remembers the caller's memory. Weights: the bytes of weights/lstm.bin, or null and 0 when
// they are part of the program. Returns 0, or a status for lstm_strerror.
int32_t lstm_init(lstm_context* context, void* arena, size_t arena_bytes, const void* weights, size_t weights_bytes);

// One inference. Inputs are only read; outputs are complete when it returns 0.
int32_t lstm_run(lstm_context* context, const lstm_dims* dims, const lstm_inputs* inputs, lstm_outputs* outputs);

const char* lstm_strerror(int32_t status);

#ifdef __cplusplus
}
#endif

#endif

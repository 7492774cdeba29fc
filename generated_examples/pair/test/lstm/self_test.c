// SPDX-License-Identifier: MIT-0
// The self-test of the network lstm: runs the sample vectors of vectors.h and compares.
//   self_test
// Exit status 0: every result agrees; 1: not; 2: wrong call.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lstm.h"
#include "checks.h"
#include "vectors.h"

static void check(int run, const char* what, int32_t status) {
  if (status == 0) return;
  fail(run, what, lstm_strerror(status));
  exit(1);
}

static void run_0(const void* weights) {
  lstm_dims dims;
  lstm_inputs inputs;
  lstm_outputs outputs;
  lstm_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.seq = 2;
  dims.batch = 3;
  const size_t arena_bytes = lstm_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, LSTM_ARENA_ALIGN);
  inputs.x = run_0_input_x;
  inputs.h0 = run_0_input_h0;
  inputs.c0 = run_0_input_c0;
  outputs.y = (float*)allocate(48 * sizeof(float), 64);
  outputs.y_h = (float*)allocate(24 * sizeof(float), 64);
  outputs.y_c = (float*)allocate(24 * sizeof(float), 64);
  check(0, "init", lstm_init(&context, arena, arena_bytes, weights, LSTM_WEIGHTS_BYTES));
  check(0, "run", lstm_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(0, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 48 * sizeof(float))) fail(0, "y", "is written beyond its end");
  compare(
      0,
      "y",
      kFloat32,
      outputs.y,
      run_0_output_y,
      48,
      48 * sizeof(float),
      1e-06,
      1e-04);
  if (!intact(outputs.y_h, 24 * sizeof(float))) fail(0, "y_h", "is written beyond its end");
  compare(
      0,
      "y_h",
      kFloat32,
      outputs.y_h,
      run_0_output_y_h,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04);
  if (!intact(outputs.y_c, 24 * sizeof(float))) fail(0, "y_c", "is written beyond its end");
  compare(
      0,
      "y_c",
      kFloat32,
      outputs.y_c,
      run_0_output_y_c,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04);
}

static void run_1(const void* weights) {
  lstm_dims dims;
  lstm_inputs inputs;
  lstm_outputs outputs;
  lstm_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.seq = 9;
  dims.batch = 9;
  const size_t arena_bytes = lstm_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, LSTM_ARENA_ALIGN);
  inputs.x = run_1_input_x;
  inputs.h0 = run_1_input_h0;
  inputs.c0 = run_1_input_c0;
  outputs.y = (float*)allocate(648 * sizeof(float), 64);
  outputs.y_h = (float*)allocate(72 * sizeof(float), 64);
  outputs.y_c = (float*)allocate(72 * sizeof(float), 64);
  check(1, "init", lstm_init(&context, arena, arena_bytes, weights, LSTM_WEIGHTS_BYTES));
  check(1, "run", lstm_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(1, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 648 * sizeof(float))) fail(1, "y", "is written beyond its end");
  compare(
      1,
      "y",
      kFloat32,
      outputs.y,
      run_1_output_y,
      648,
      648 * sizeof(float),
      1e-06,
      1e-04);
  if (!intact(outputs.y_h, 72 * sizeof(float))) fail(1, "y_h", "is written beyond its end");
  compare(
      1,
      "y_h",
      kFloat32,
      outputs.y_h,
      run_1_output_y_h,
      72,
      72 * sizeof(float),
      1e-06,
      1e-04);
  if (!intact(outputs.y_c, 72 * sizeof(float))) fail(1, "y_c", "is written beyond its end");
  compare(
      1,
      "y_c",
      kFloat32,
      outputs.y_c,
      run_1_output_y_c,
      72,
      72 * sizeof(float),
      1e-06,
      1e-04);
}

int main(int argc, char** argv) {
  const void* weights = NULL;
  if (argc != 1) {
    printf("usage: %s\n", argv[0]);
    return 2;
  }
  run_0(weights);
  run_1(weights);
  printf("lstm: 2 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

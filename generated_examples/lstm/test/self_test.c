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
  call_fill_stack();
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
      1e-04,
      48);
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
      1e-04,
      24);
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
      1e-04,
      24);
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
  call_fill_stack();
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
      1e-04,
      648);
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
      1e-04,
      72);
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
      1e-04,
      72);
}

static void run_2(const void* weights) {
  lstm_dims dims;
  lstm_inputs inputs;
  lstm_outputs outputs;
  lstm_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.seq = 7;
  dims.batch = 1;
  const size_t arena_bytes = lstm_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, LSTM_ARENA_ALIGN);
  inputs.x = run_2_input_x;
  inputs.h0 = run_2_input_h0;
  inputs.c0 = run_2_input_c0;
  outputs.y = (float*)allocate(56 * sizeof(float), 64);
  outputs.y_h = (float*)allocate(8 * sizeof(float), 64);
  outputs.y_c = (float*)allocate(8 * sizeof(float), 64);
  check(2, "init", lstm_init(&context, arena, arena_bytes, weights, LSTM_WEIGHTS_BYTES));
  call_fill_stack();
  check(2, "run", lstm_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(2, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 56 * sizeof(float))) fail(2, "y", "is written beyond its end");
  compare(
      2,
      "y",
      kFloat32,
      outputs.y,
      run_2_output_y,
      56,
      56 * sizeof(float),
      1e-06,
      1e-04,
      56);
  if (!intact(outputs.y_h, 8 * sizeof(float))) fail(2, "y_h", "is written beyond its end");
  compare(
      2,
      "y_h",
      kFloat32,
      outputs.y_h,
      run_2_output_y_h,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.y_c, 8 * sizeof(float))) fail(2, "y_c", "is written beyond its end");
  compare(
      2,
      "y_c",
      kFloat32,
      outputs.y_c,
      run_2_output_y_c,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
}

static void run_3(const void* weights) {
  lstm_dims dims;
  lstm_inputs inputs;
  lstm_outputs outputs;
  lstm_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.seq = 2;
  dims.batch = 1;
  const size_t arena_bytes = lstm_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, LSTM_ARENA_ALIGN);
  inputs.x = run_3_input_x;
  inputs.h0 = run_3_input_h0;
  inputs.c0 = run_3_input_c0;
  outputs.y = (float*)allocate(16 * sizeof(float), 64);
  outputs.y_h = (float*)allocate(8 * sizeof(float), 64);
  outputs.y_c = (float*)allocate(8 * sizeof(float), 64);
  check(3, "init", lstm_init(&context, arena, arena_bytes, weights, LSTM_WEIGHTS_BYTES));
  call_fill_stack();
  check(3, "run", lstm_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(3, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 16 * sizeof(float))) fail(3, "y", "is written beyond its end");
  compare(
      3,
      "y",
      kFloat32,
      outputs.y,
      run_3_output_y,
      16,
      16 * sizeof(float),
      1e-06,
      1e-04,
      16);
  if (!intact(outputs.y_h, 8 * sizeof(float))) fail(3, "y_h", "is written beyond its end");
  compare(
      3,
      "y_h",
      kFloat32,
      outputs.y_h,
      run_3_output_y_h,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.y_c, 8 * sizeof(float))) fail(3, "y_c", "is written beyond its end");
  compare(
      3,
      "y_c",
      kFloat32,
      outputs.y_c,
      run_3_output_y_c,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
}

static void run_4(const void* weights) {
  lstm_dims dims;
  lstm_inputs inputs;
  lstm_outputs outputs;
  lstm_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.seq = 1;
  dims.batch = 1;
  const size_t arena_bytes = lstm_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, LSTM_ARENA_ALIGN);
  inputs.x = run_4_input_x;
  inputs.h0 = run_4_input_h0;
  inputs.c0 = run_4_input_c0;
  outputs.y = (float*)allocate(8 * sizeof(float), 64);
  outputs.y_h = (float*)allocate(8 * sizeof(float), 64);
  outputs.y_c = (float*)allocate(8 * sizeof(float), 64);
  check(4, "init", lstm_init(&context, arena, arena_bytes, weights, LSTM_WEIGHTS_BYTES));
  call_fill_stack();
  check(4, "run", lstm_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(4, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 8 * sizeof(float))) fail(4, "y", "is written beyond its end");
  compare(
      4,
      "y",
      kFloat32,
      outputs.y,
      run_4_output_y,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.y_h, 8 * sizeof(float))) fail(4, "y_h", "is written beyond its end");
  compare(
      4,
      "y_h",
      kFloat32,
      outputs.y_h,
      run_4_output_y_h,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.y_c, 8 * sizeof(float))) fail(4, "y_c", "is written beyond its end");
  compare(
      4,
      "y_c",
      kFloat32,
      outputs.y_c,
      run_4_output_y_c,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
}

static void run_5(const void* weights) {
  lstm_dims dims;
  lstm_inputs inputs;
  lstm_outputs outputs;
  lstm_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.seq = 2;
  dims.batch = 7;
  const size_t arena_bytes = lstm_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, LSTM_ARENA_ALIGN);
  inputs.x = run_5_input_x;
  inputs.h0 = run_5_input_h0;
  inputs.c0 = run_5_input_c0;
  outputs.y = (float*)allocate(112 * sizeof(float), 64);
  outputs.y_h = (float*)allocate(56 * sizeof(float), 64);
  outputs.y_c = (float*)allocate(56 * sizeof(float), 64);
  check(5, "init", lstm_init(&context, arena, arena_bytes, weights, LSTM_WEIGHTS_BYTES));
  call_fill_stack();
  check(5, "run", lstm_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(5, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 112 * sizeof(float))) fail(5, "y", "is written beyond its end");
  compare(
      5,
      "y",
      kFloat32,
      outputs.y,
      run_5_output_y,
      112,
      112 * sizeof(float),
      1e-06,
      1e-04,
      112);
  if (!intact(outputs.y_h, 56 * sizeof(float))) fail(5, "y_h", "is written beyond its end");
  compare(
      5,
      "y_h",
      kFloat32,
      outputs.y_h,
      run_5_output_y_h,
      56,
      56 * sizeof(float),
      1e-06,
      1e-04,
      56);
  if (!intact(outputs.y_c, 56 * sizeof(float))) fail(5, "y_c", "is written beyond its end");
  compare(
      5,
      "y_c",
      kFloat32,
      outputs.y_c,
      run_5_output_y_c,
      56,
      56 * sizeof(float),
      1e-06,
      1e-04,
      56);
}

static void run_6(const void* weights) {
  lstm_dims dims;
  lstm_inputs inputs;
  lstm_outputs outputs;
  lstm_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.seq = 5;
  dims.batch = 5;
  const size_t arena_bytes = lstm_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, LSTM_ARENA_ALIGN);
  inputs.x = run_6_input_x;
  inputs.h0 = run_6_input_h0;
  inputs.c0 = run_6_input_c0;
  outputs.y = (float*)allocate(200 * sizeof(float), 64);
  outputs.y_h = (float*)allocate(40 * sizeof(float), 64);
  outputs.y_c = (float*)allocate(40 * sizeof(float), 64);
  check(6, "init", lstm_init(&context, arena, arena_bytes, weights, LSTM_WEIGHTS_BYTES));
  call_fill_stack();
  check(6, "run", lstm_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(6, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 200 * sizeof(float))) fail(6, "y", "is written beyond its end");
  compare(
      6,
      "y",
      kFloat32,
      outputs.y,
      run_6_output_y,
      200,
      200 * sizeof(float),
      1e-06,
      1e-04,
      200);
  if (!intact(outputs.y_h, 40 * sizeof(float))) fail(6, "y_h", "is written beyond its end");
  compare(
      6,
      "y_h",
      kFloat32,
      outputs.y_h,
      run_6_output_y_h,
      40,
      40 * sizeof(float),
      1e-06,
      1e-04,
      40);
  if (!intact(outputs.y_c, 40 * sizeof(float))) fail(6, "y_c", "is written beyond its end");
  compare(
      6,
      "y_c",
      kFloat32,
      outputs.y_c,
      run_6_output_y_c,
      40,
      40 * sizeof(float),
      1e-06,
      1e-04,
      40);
}

int main(int argc, char** argv) {
  const void* weights = NULL;
  if (argc != 1) {
    printf("usage: %s\n", argv[0]);
    return 2;
  }
  const uint8_t* const kept = last_block;
  for (size_t i = 0; i < sizeof kFills; ++i) {
    fill = kFills[i];
    run_0(weights);
    release_behind(kept);
    run_1(weights);
    release_behind(kept);
    run_2(weights);
    release_behind(kept);
    run_3(weights);
    release_behind(kept);
    run_4(weights);
    release_behind(kept);
    run_5(weights);
    release_behind(kept);
    run_6(weights);
    release_behind(kept);
  }
  printf("lstm: 7 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT-0
// The self-test of the network pair: runs the sample vectors of vectors.h and compares.
//   self_test
// Exit status 0: every result agrees; 1: not; 2: wrong call.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "pair.h"
#include "checks.h"
#include "vectors.h"

static void check(int run, const char* what, int32_t status) {
  if (status == 0) return;
  fail(run, what, pair_strerror(status));
  exit(1);
}

static void run_0(const void* weights) {
  pair_dims dims;
  pair_inputs inputs;
  pair_outputs outputs;
  pair_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.lstm_seq = 2;
  dims.lstm_batch = 3;
  dims.softmax_batch = 2;
  dims.softmax_rows = 3;
  dims.softmax_cols = 4;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.lstm_x = run_0_input_lstm_x;
  inputs.lstm_h0 = run_0_input_lstm_h0;
  inputs.lstm_c0 = run_0_input_lstm_c0;
  inputs.softmax_x = run_0_input_softmax_x;
  outputs.lstm_y = (float*)allocate(48 * sizeof(float), 64);
  outputs.lstm_y_h = (float*)allocate(24 * sizeof(float), 64);
  outputs.lstm_y_c = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(24 * sizeof(float), 64);
  check(0, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(0, "run", pair_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(0, "the arena", "is written beyond its end");
  if (!intact(outputs.lstm_y, 48 * sizeof(float))) fail(0, "lstm_y", "is written beyond its end");
  compare(
      0,
      "lstm_y",
      kFloat32,
      outputs.lstm_y,
      run_0_output_lstm_y,
      48,
      48 * sizeof(float),
      1e-06,
      1e-04,
      48);
  if (!intact(outputs.lstm_y_h, 24 * sizeof(float))) fail(0, "lstm_y_h", "is written beyond its end");
  compare(
      0,
      "lstm_y_h",
      kFloat32,
      outputs.lstm_y_h,
      run_0_output_lstm_y_h,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.lstm_y_c, 24 * sizeof(float))) fail(0, "lstm_y_c", "is written beyond its end");
  compare(
      0,
      "lstm_y_c",
      kFloat32,
      outputs.lstm_y_c,
      run_0_output_lstm_y_c,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.softmax_last, 24 * sizeof(float))) fail(0, "softmax_last", "is written beyond its end");
  compare(
      0,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_0_output_softmax_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.softmax_middle, 24 * sizeof(float))) fail(0, "softmax_middle", "is written beyond its end");
  compare(
      0,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_0_output_softmax_middle,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
}

static void run_1(const void* weights) {
  pair_dims dims;
  pair_inputs inputs;
  pair_outputs outputs;
  pair_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.lstm_seq = 9;
  dims.lstm_batch = 9;
  dims.softmax_batch = 9;
  dims.softmax_rows = 9;
  dims.softmax_cols = 9;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.lstm_x = run_1_input_lstm_x;
  inputs.lstm_h0 = run_1_input_lstm_h0;
  inputs.lstm_c0 = run_1_input_lstm_c0;
  inputs.softmax_x = run_1_input_softmax_x;
  outputs.lstm_y = (float*)allocate(648 * sizeof(float), 64);
  outputs.lstm_y_h = (float*)allocate(72 * sizeof(float), 64);
  outputs.lstm_y_c = (float*)allocate(72 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(729 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(729 * sizeof(float), 64);
  check(1, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(1, "run", pair_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(1, "the arena", "is written beyond its end");
  if (!intact(outputs.lstm_y, 648 * sizeof(float))) fail(1, "lstm_y", "is written beyond its end");
  compare(
      1,
      "lstm_y",
      kFloat32,
      outputs.lstm_y,
      run_1_output_lstm_y,
      648,
      648 * sizeof(float),
      1e-06,
      1e-04,
      648);
  if (!intact(outputs.lstm_y_h, 72 * sizeof(float))) fail(1, "lstm_y_h", "is written beyond its end");
  compare(
      1,
      "lstm_y_h",
      kFloat32,
      outputs.lstm_y_h,
      run_1_output_lstm_y_h,
      72,
      72 * sizeof(float),
      1e-06,
      1e-04,
      72);
  if (!intact(outputs.lstm_y_c, 72 * sizeof(float))) fail(1, "lstm_y_c", "is written beyond its end");
  compare(
      1,
      "lstm_y_c",
      kFloat32,
      outputs.lstm_y_c,
      run_1_output_lstm_y_c,
      72,
      72 * sizeof(float),
      1e-06,
      1e-04,
      72);
  if (!intact(outputs.softmax_last, 729 * sizeof(float))) fail(1, "softmax_last", "is written beyond its end");
  compare(
      1,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_1_output_softmax_last,
      729,
      729 * sizeof(float),
      1e-06,
      1e-04,
      729);
  if (!intact(outputs.softmax_middle, 729 * sizeof(float))) fail(1, "softmax_middle", "is written beyond its end");
  compare(
      1,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_1_output_softmax_middle,
      729,
      729 * sizeof(float),
      1e-06,
      1e-04,
      729);
}

static void run_2(const void* weights) {
  pair_dims dims;
  pair_inputs inputs;
  pair_outputs outputs;
  pair_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.lstm_seq = 7;
  dims.lstm_batch = 1;
  dims.softmax_batch = 2;
  dims.softmax_rows = 3;
  dims.softmax_cols = 4;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.lstm_x = run_2_input_lstm_x;
  inputs.lstm_h0 = run_2_input_lstm_h0;
  inputs.lstm_c0 = run_2_input_lstm_c0;
  inputs.softmax_x = run_2_input_softmax_x;
  outputs.lstm_y = (float*)allocate(56 * sizeof(float), 64);
  outputs.lstm_y_h = (float*)allocate(8 * sizeof(float), 64);
  outputs.lstm_y_c = (float*)allocate(8 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(24 * sizeof(float), 64);
  check(2, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(2, "run", pair_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(2, "the arena", "is written beyond its end");
  if (!intact(outputs.lstm_y, 56 * sizeof(float))) fail(2, "lstm_y", "is written beyond its end");
  compare(
      2,
      "lstm_y",
      kFloat32,
      outputs.lstm_y,
      run_2_output_lstm_y,
      56,
      56 * sizeof(float),
      1e-06,
      1e-04,
      56);
  if (!intact(outputs.lstm_y_h, 8 * sizeof(float))) fail(2, "lstm_y_h", "is written beyond its end");
  compare(
      2,
      "lstm_y_h",
      kFloat32,
      outputs.lstm_y_h,
      run_2_output_lstm_y_h,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.lstm_y_c, 8 * sizeof(float))) fail(2, "lstm_y_c", "is written beyond its end");
  compare(
      2,
      "lstm_y_c",
      kFloat32,
      outputs.lstm_y_c,
      run_2_output_lstm_y_c,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.softmax_last, 24 * sizeof(float))) fail(2, "softmax_last", "is written beyond its end");
  compare(
      2,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_2_output_softmax_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.softmax_middle, 24 * sizeof(float))) fail(2, "softmax_middle", "is written beyond its end");
  compare(
      2,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_2_output_softmax_middle,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
}

static void run_3(const void* weights) {
  pair_dims dims;
  pair_inputs inputs;
  pair_outputs outputs;
  pair_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.lstm_seq = 2;
  dims.lstm_batch = 1;
  dims.softmax_batch = 2;
  dims.softmax_rows = 3;
  dims.softmax_cols = 4;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.lstm_x = run_3_input_lstm_x;
  inputs.lstm_h0 = run_3_input_lstm_h0;
  inputs.lstm_c0 = run_3_input_lstm_c0;
  inputs.softmax_x = run_3_input_softmax_x;
  outputs.lstm_y = (float*)allocate(16 * sizeof(float), 64);
  outputs.lstm_y_h = (float*)allocate(8 * sizeof(float), 64);
  outputs.lstm_y_c = (float*)allocate(8 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(24 * sizeof(float), 64);
  check(3, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(3, "run", pair_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(3, "the arena", "is written beyond its end");
  if (!intact(outputs.lstm_y, 16 * sizeof(float))) fail(3, "lstm_y", "is written beyond its end");
  compare(
      3,
      "lstm_y",
      kFloat32,
      outputs.lstm_y,
      run_3_output_lstm_y,
      16,
      16 * sizeof(float),
      1e-06,
      1e-04,
      16);
  if (!intact(outputs.lstm_y_h, 8 * sizeof(float))) fail(3, "lstm_y_h", "is written beyond its end");
  compare(
      3,
      "lstm_y_h",
      kFloat32,
      outputs.lstm_y_h,
      run_3_output_lstm_y_h,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.lstm_y_c, 8 * sizeof(float))) fail(3, "lstm_y_c", "is written beyond its end");
  compare(
      3,
      "lstm_y_c",
      kFloat32,
      outputs.lstm_y_c,
      run_3_output_lstm_y_c,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.softmax_last, 24 * sizeof(float))) fail(3, "softmax_last", "is written beyond its end");
  compare(
      3,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_3_output_softmax_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.softmax_middle, 24 * sizeof(float))) fail(3, "softmax_middle", "is written beyond its end");
  compare(
      3,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_3_output_softmax_middle,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
}

static void run_4(const void* weights) {
  pair_dims dims;
  pair_inputs inputs;
  pair_outputs outputs;
  pair_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.lstm_seq = 1;
  dims.lstm_batch = 1;
  dims.softmax_batch = 9;
  dims.softmax_rows = 9;
  dims.softmax_cols = 9;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.lstm_x = run_4_input_lstm_x;
  inputs.lstm_h0 = run_4_input_lstm_h0;
  inputs.lstm_c0 = run_4_input_lstm_c0;
  inputs.softmax_x = run_4_input_softmax_x;
  outputs.lstm_y = (float*)allocate(8 * sizeof(float), 64);
  outputs.lstm_y_h = (float*)allocate(8 * sizeof(float), 64);
  outputs.lstm_y_c = (float*)allocate(8 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(729 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(729 * sizeof(float), 64);
  check(4, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(4, "run", pair_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(4, "the arena", "is written beyond its end");
  if (!intact(outputs.lstm_y, 8 * sizeof(float))) fail(4, "lstm_y", "is written beyond its end");
  compare(
      4,
      "lstm_y",
      kFloat32,
      outputs.lstm_y,
      run_4_output_lstm_y,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.lstm_y_h, 8 * sizeof(float))) fail(4, "lstm_y_h", "is written beyond its end");
  compare(
      4,
      "lstm_y_h",
      kFloat32,
      outputs.lstm_y_h,
      run_4_output_lstm_y_h,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.lstm_y_c, 8 * sizeof(float))) fail(4, "lstm_y_c", "is written beyond its end");
  compare(
      4,
      "lstm_y_c",
      kFloat32,
      outputs.lstm_y_c,
      run_4_output_lstm_y_c,
      8,
      8 * sizeof(float),
      1e-06,
      1e-04,
      8);
  if (!intact(outputs.softmax_last, 729 * sizeof(float))) fail(4, "softmax_last", "is written beyond its end");
  compare(
      4,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_4_output_softmax_last,
      729,
      729 * sizeof(float),
      1e-06,
      1e-04,
      729);
  if (!intact(outputs.softmax_middle, 729 * sizeof(float))) fail(4, "softmax_middle", "is written beyond its end");
  compare(
      4,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_4_output_softmax_middle,
      729,
      729 * sizeof(float),
      1e-06,
      1e-04,
      729);
}

static void run_5(const void* weights) {
  pair_dims dims;
  pair_inputs inputs;
  pair_outputs outputs;
  pair_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.lstm_seq = 2;
  dims.lstm_batch = 7;
  dims.softmax_batch = 2;
  dims.softmax_rows = 3;
  dims.softmax_cols = 4;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.lstm_x = run_5_input_lstm_x;
  inputs.lstm_h0 = run_5_input_lstm_h0;
  inputs.lstm_c0 = run_5_input_lstm_c0;
  inputs.softmax_x = run_5_input_softmax_x;
  outputs.lstm_y = (float*)allocate(112 * sizeof(float), 64);
  outputs.lstm_y_h = (float*)allocate(56 * sizeof(float), 64);
  outputs.lstm_y_c = (float*)allocate(56 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(24 * sizeof(float), 64);
  check(5, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(5, "run", pair_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(5, "the arena", "is written beyond its end");
  if (!intact(outputs.lstm_y, 112 * sizeof(float))) fail(5, "lstm_y", "is written beyond its end");
  compare(
      5,
      "lstm_y",
      kFloat32,
      outputs.lstm_y,
      run_5_output_lstm_y,
      112,
      112 * sizeof(float),
      1e-06,
      1e-04,
      112);
  if (!intact(outputs.lstm_y_h, 56 * sizeof(float))) fail(5, "lstm_y_h", "is written beyond its end");
  compare(
      5,
      "lstm_y_h",
      kFloat32,
      outputs.lstm_y_h,
      run_5_output_lstm_y_h,
      56,
      56 * sizeof(float),
      1e-06,
      1e-04,
      56);
  if (!intact(outputs.lstm_y_c, 56 * sizeof(float))) fail(5, "lstm_y_c", "is written beyond its end");
  compare(
      5,
      "lstm_y_c",
      kFloat32,
      outputs.lstm_y_c,
      run_5_output_lstm_y_c,
      56,
      56 * sizeof(float),
      1e-06,
      1e-04,
      56);
  if (!intact(outputs.softmax_last, 24 * sizeof(float))) fail(5, "softmax_last", "is written beyond its end");
  compare(
      5,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_5_output_softmax_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.softmax_middle, 24 * sizeof(float))) fail(5, "softmax_middle", "is written beyond its end");
  compare(
      5,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_5_output_softmax_middle,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
}

static void run_6(const void* weights) {
  pair_dims dims;
  pair_inputs inputs;
  pair_outputs outputs;
  pair_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.lstm_seq = 5;
  dims.lstm_batch = 5;
  dims.softmax_batch = 2;
  dims.softmax_rows = 3;
  dims.softmax_cols = 4;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.lstm_x = run_6_input_lstm_x;
  inputs.lstm_h0 = run_6_input_lstm_h0;
  inputs.lstm_c0 = run_6_input_lstm_c0;
  inputs.softmax_x = run_6_input_softmax_x;
  outputs.lstm_y = (float*)allocate(200 * sizeof(float), 64);
  outputs.lstm_y_h = (float*)allocate(40 * sizeof(float), 64);
  outputs.lstm_y_c = (float*)allocate(40 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(24 * sizeof(float), 64);
  check(6, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(6, "run", pair_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(6, "the arena", "is written beyond its end");
  if (!intact(outputs.lstm_y, 200 * sizeof(float))) fail(6, "lstm_y", "is written beyond its end");
  compare(
      6,
      "lstm_y",
      kFloat32,
      outputs.lstm_y,
      run_6_output_lstm_y,
      200,
      200 * sizeof(float),
      1e-06,
      1e-04,
      200);
  if (!intact(outputs.lstm_y_h, 40 * sizeof(float))) fail(6, "lstm_y_h", "is written beyond its end");
  compare(
      6,
      "lstm_y_h",
      kFloat32,
      outputs.lstm_y_h,
      run_6_output_lstm_y_h,
      40,
      40 * sizeof(float),
      1e-06,
      1e-04,
      40);
  if (!intact(outputs.lstm_y_c, 40 * sizeof(float))) fail(6, "lstm_y_c", "is written beyond its end");
  compare(
      6,
      "lstm_y_c",
      kFloat32,
      outputs.lstm_y_c,
      run_6_output_lstm_y_c,
      40,
      40 * sizeof(float),
      1e-06,
      1e-04,
      40);
  if (!intact(outputs.softmax_last, 24 * sizeof(float))) fail(6, "softmax_last", "is written beyond its end");
  compare(
      6,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_6_output_softmax_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.softmax_middle, 24 * sizeof(float))) fail(6, "softmax_middle", "is written beyond its end");
  compare(
      6,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_6_output_softmax_middle,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
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
  printf("pair: 7 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

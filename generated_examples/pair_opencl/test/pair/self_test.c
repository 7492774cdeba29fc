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
  dims.branches_batch = 2;
  dims.branches_h = 3;
  dims.branches_w = 4;
  dims.branches_n = 5;
  dims.softmax_batch = 2;
  dims.softmax_rows = 3;
  dims.softmax_cols = 4;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.branches_x = run_0_input_branches_x;
  inputs.branches_rows = run_0_input_branches_rows;
  inputs.softmax_x = run_0_input_softmax_x;
  outputs.branches_y = (float*)allocate(152 * sizeof(float), 64);
  outputs.branches_p = (float*)allocate(1000 * sizeof(float), 64);
  outputs.branches_q = (float*)allocate(1000 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(24 * sizeof(float), 64);
  check(0, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(0, "run", pair_run(&context, &dims, &inputs, &outputs));
  pair_release(&context);
  if (!intact(arena, arena_bytes)) fail(0, "the arena", "is written beyond its end");
  if (!intact(outputs.branches_y, 152 * sizeof(float))) fail(0, "branches_y", "is written beyond its end");
  compare(
      0,
      "branches_y",
      kFloat32,
      outputs.branches_y,
      run_0_output_branches_y,
      152,
      152 * sizeof(float),
      1e-06,
      1e-04,
      152);
  if (!intact(outputs.branches_p, 1000 * sizeof(float))) fail(0, "branches_p", "is written beyond its end");
  compare(
      0,
      "branches_p",
      kFloat32,
      outputs.branches_p,
      run_0_output_branches_p,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
  if (!intact(outputs.branches_q, 1000 * sizeof(float))) fail(0, "branches_q", "is written beyond its end");
  compare(
      0,
      "branches_q",
      kFloat32,
      outputs.branches_q,
      run_0_output_branches_q,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
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
  dims.branches_batch = 3;
  dims.branches_h = 3;
  dims.branches_w = 3;
  dims.branches_n = 3;
  dims.softmax_batch = 9;
  dims.softmax_rows = 9;
  dims.softmax_cols = 9;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.branches_x = run_1_input_branches_x;
  inputs.branches_rows = run_1_input_branches_rows;
  inputs.softmax_x = run_1_input_softmax_x;
  outputs.branches_y = (float*)allocate(114 * sizeof(float), 64);
  outputs.branches_p = (float*)allocate(600 * sizeof(float), 64);
  outputs.branches_q = (float*)allocate(600 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(729 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(729 * sizeof(float), 64);
  check(1, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(1, "run", pair_run(&context, &dims, &inputs, &outputs));
  pair_release(&context);
  if (!intact(arena, arena_bytes)) fail(1, "the arena", "is written beyond its end");
  if (!intact(outputs.branches_y, 114 * sizeof(float))) fail(1, "branches_y", "is written beyond its end");
  compare(
      1,
      "branches_y",
      kFloat32,
      outputs.branches_y,
      run_1_output_branches_y,
      114,
      114 * sizeof(float),
      1e-06,
      1e-04,
      114);
  if (!intact(outputs.branches_p, 600 * sizeof(float))) fail(1, "branches_p", "is written beyond its end");
  compare(
      1,
      "branches_p",
      kFloat32,
      outputs.branches_p,
      run_1_output_branches_p,
      600,
      600 * sizeof(float),
      1e-06,
      1e-04,
      600);
  if (!intact(outputs.branches_q, 600 * sizeof(float))) fail(1, "branches_q", "is written beyond its end");
  compare(
      1,
      "branches_q",
      kFloat32,
      outputs.branches_q,
      run_1_output_branches_q,
      600,
      600 * sizeof(float),
      1e-06,
      1e-04,
      600);
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
  dims.branches_batch = 2;
  dims.branches_h = 3;
  dims.branches_w = 4;
  dims.branches_n = 5;
  dims.softmax_batch = 2;
  dims.softmax_rows = 3;
  dims.softmax_cols = 4;
  const size_t arena_bytes = pair_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, PAIR_ARENA_ALIGN);
  inputs.branches_x = run_2_input_branches_x;
  inputs.branches_rows = run_2_input_branches_rows;
  inputs.softmax_x = run_2_input_softmax_x;
  outputs.branches_y = (float*)allocate(152 * sizeof(float), 64);
  outputs.branches_p = (float*)allocate(1000 * sizeof(float), 64);
  outputs.branches_q = (float*)allocate(1000 * sizeof(float), 64);
  outputs.softmax_last = (float*)allocate(24 * sizeof(float), 64);
  outputs.softmax_middle = (float*)allocate(24 * sizeof(float), 64);
  check(2, "init", pair_init(&context, arena, arena_bytes, weights, PAIR_WEIGHTS_BYTES));
  call_fill_stack();
  check(2, "run", pair_run(&context, &dims, &inputs, &outputs));
  pair_release(&context);
  if (!intact(arena, arena_bytes)) fail(2, "the arena", "is written beyond its end");
  if (!intact(outputs.branches_y, 152 * sizeof(float))) fail(2, "branches_y", "is written beyond its end");
  compare(
      2,
      "branches_y",
      kFloat32,
      outputs.branches_y,
      run_2_output_branches_y,
      152,
      152 * sizeof(float),
      1e-06,
      1e-04,
      152);
  if (!intact(outputs.branches_p, 1000 * sizeof(float))) fail(2, "branches_p", "is written beyond its end");
  compare(
      2,
      "branches_p",
      kFloat32,
      outputs.branches_p,
      run_2_output_branches_p,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
  if (!intact(outputs.branches_q, 1000 * sizeof(float))) fail(2, "branches_q", "is written beyond its end");
  compare(
      2,
      "branches_q",
      kFloat32,
      outputs.branches_q,
      run_2_output_branches_q,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
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
  }
  printf("pair: 3 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

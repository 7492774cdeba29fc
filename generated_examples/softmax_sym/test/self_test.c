// SPDX-License-Identifier: MIT-0
// The self-test of the network softmax_sym: runs the sample vectors of vectors.h and compares.
//   self_test
// Exit status 0: every result agrees; 1: not; 2: wrong call.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "softmax_sym.h"
#include "checks.h"
#include "vectors.h"

static void check(int run, const char* what, int32_t status) {
  if (status == 0) return;
  fail(run, what, softmax_sym_strerror(status));
  exit(1);
}

static void run_0(const void* weights) {
  softmax_sym_dims dims;
  softmax_sym_inputs inputs;
  softmax_sym_outputs outputs;
  softmax_sym_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 2;
  dims.rows = 3;
  dims.cols = 4;
  const size_t arena_bytes = softmax_sym_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, SOFTMAX_SYM_ARENA_ALIGN);
  inputs.x = run_0_input_x;
  outputs.last = (float*)allocate(24 * sizeof(float), 64);
  outputs.middle = (float*)allocate(24 * sizeof(float), 64);
  check(0, "init", softmax_sym_init(&context, arena, arena_bytes, weights, SOFTMAX_SYM_WEIGHTS_BYTES));
  call_fill_stack();
  check(0, "run", softmax_sym_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(0, "the arena", "is written beyond its end");
  if (!intact(outputs.last, 24 * sizeof(float))) fail(0, "last", "is written beyond its end");
  compare(
      0,
      "last",
      kFloat32,
      outputs.last,
      run_0_output_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.middle, 24 * sizeof(float))) fail(0, "middle", "is written beyond its end");
  compare(
      0,
      "middle",
      kFloat32,
      outputs.middle,
      run_0_output_middle,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
}

static void run_1(const void* weights) {
  softmax_sym_dims dims;
  softmax_sym_inputs inputs;
  softmax_sym_outputs outputs;
  softmax_sym_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 9;
  dims.rows = 9;
  dims.cols = 9;
  const size_t arena_bytes = softmax_sym_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, SOFTMAX_SYM_ARENA_ALIGN);
  inputs.x = run_1_input_x;
  outputs.last = (float*)allocate(729 * sizeof(float), 64);
  outputs.middle = (float*)allocate(729 * sizeof(float), 64);
  check(1, "init", softmax_sym_init(&context, arena, arena_bytes, weights, SOFTMAX_SYM_WEIGHTS_BYTES));
  call_fill_stack();
  check(1, "run", softmax_sym_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(1, "the arena", "is written beyond its end");
  if (!intact(outputs.last, 729 * sizeof(float))) fail(1, "last", "is written beyond its end");
  compare(
      1,
      "last",
      kFloat32,
      outputs.last,
      run_1_output_last,
      729,
      729 * sizeof(float),
      1e-06,
      1e-04,
      729);
  if (!intact(outputs.middle, 729 * sizeof(float))) fail(1, "middle", "is written beyond its end");
  compare(
      1,
      "middle",
      kFloat32,
      outputs.middle,
      run_1_output_middle,
      729,
      729 * sizeof(float),
      1e-06,
      1e-04,
      729);
}

static void run_2(const void* weights) {
  softmax_sym_dims dims;
  softmax_sym_inputs inputs;
  softmax_sym_outputs outputs;
  softmax_sym_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 2;
  dims.rows = 3;
  dims.cols = 4;
  const size_t arena_bytes = softmax_sym_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, SOFTMAX_SYM_ARENA_ALIGN);
  inputs.x = run_2_input_x;
  outputs.last = (float*)allocate(24 * sizeof(float), 64);
  outputs.middle = (float*)allocate(24 * sizeof(float), 64);
  check(2, "init", softmax_sym_init(&context, arena, arena_bytes, weights, SOFTMAX_SYM_WEIGHTS_BYTES));
  call_fill_stack();
  check(2, "run", softmax_sym_run(&context, &dims, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(2, "the arena", "is written beyond its end");
  if (!intact(outputs.last, 24 * sizeof(float))) fail(2, "last", "is written beyond its end");
  compare(
      2,
      "last",
      kFloat32,
      outputs.last,
      run_2_output_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04,
      24);
  if (!intact(outputs.middle, 24 * sizeof(float))) fail(2, "middle", "is written beyond its end");
  compare(
      2,
      "middle",
      kFloat32,
      outputs.middle,
      run_2_output_middle,
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
  printf("softmax_sym: 3 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

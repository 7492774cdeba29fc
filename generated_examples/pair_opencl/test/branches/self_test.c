// SPDX-License-Identifier: MIT-0
// The self-test of the network branches: runs the sample vectors of vectors.h and compares.
//   self_test
// Exit status 0: every result agrees; 1: not; 2: wrong call.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "branches.h"
#include "checks.h"
#include "vectors.h"

static void check(int run, const char* what, int32_t status) {
  if (status == 0) return;
  fail(run, what, branches_strerror(status));
  exit(1);
}

static void run_0(const void* weights) {
  branches_dims dims;
  branches_inputs inputs;
  branches_outputs outputs;
  branches_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 2;
  dims.h = 3;
  dims.w = 4;
  dims.n = 5;
  const size_t arena_bytes = branches_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, BRANCHES_ARENA_ALIGN);
  inputs.x = run_0_input_x;
  inputs.rows = run_0_input_rows;
  outputs.y = (float*)allocate(152 * sizeof(float), 64);
  outputs.p = (float*)allocate(1000 * sizeof(float), 64);
  outputs.q = (float*)allocate(1000 * sizeof(float), 64);
  check(0, "init", branches_init(&context, arena, arena_bytes, weights, BRANCHES_WEIGHTS_BYTES));
  call_fill_stack();
  check(0, "run", branches_run(&context, &dims, &inputs, &outputs));
  branches_release(&context);
  if (!intact(arena, arena_bytes)) fail(0, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 152 * sizeof(float))) fail(0, "y", "is written beyond its end");
  compare(
      0,
      "y",
      kFloat32,
      outputs.y,
      run_0_output_y,
      152,
      152 * sizeof(float),
      1e-06,
      1e-04,
      152);
  if (!intact(outputs.p, 1000 * sizeof(float))) fail(0, "p", "is written beyond its end");
  compare(
      0,
      "p",
      kFloat32,
      outputs.p,
      run_0_output_p,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
  if (!intact(outputs.q, 1000 * sizeof(float))) fail(0, "q", "is written beyond its end");
  compare(
      0,
      "q",
      kFloat32,
      outputs.q,
      run_0_output_q,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
}

static void run_1(const void* weights) {
  branches_dims dims;
  branches_inputs inputs;
  branches_outputs outputs;
  branches_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 3;
  dims.h = 3;
  dims.w = 3;
  dims.n = 3;
  const size_t arena_bytes = branches_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, BRANCHES_ARENA_ALIGN);
  inputs.x = run_1_input_x;
  inputs.rows = run_1_input_rows;
  outputs.y = (float*)allocate(114 * sizeof(float), 64);
  outputs.p = (float*)allocate(600 * sizeof(float), 64);
  outputs.q = (float*)allocate(600 * sizeof(float), 64);
  check(1, "init", branches_init(&context, arena, arena_bytes, weights, BRANCHES_WEIGHTS_BYTES));
  call_fill_stack();
  check(1, "run", branches_run(&context, &dims, &inputs, &outputs));
  branches_release(&context);
  if (!intact(arena, arena_bytes)) fail(1, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 114 * sizeof(float))) fail(1, "y", "is written beyond its end");
  compare(
      1,
      "y",
      kFloat32,
      outputs.y,
      run_1_output_y,
      114,
      114 * sizeof(float),
      1e-06,
      1e-04,
      114);
  if (!intact(outputs.p, 600 * sizeof(float))) fail(1, "p", "is written beyond its end");
  compare(
      1,
      "p",
      kFloat32,
      outputs.p,
      run_1_output_p,
      600,
      600 * sizeof(float),
      1e-06,
      1e-04,
      600);
  if (!intact(outputs.q, 600 * sizeof(float))) fail(1, "q", "is written beyond its end");
  compare(
      1,
      "q",
      kFloat32,
      outputs.q,
      run_1_output_q,
      600,
      600 * sizeof(float),
      1e-06,
      1e-04,
      600);
}

static void run_2(const void* weights) {
  branches_dims dims;
  branches_inputs inputs;
  branches_outputs outputs;
  branches_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 2;
  dims.h = 3;
  dims.w = 4;
  dims.n = 5;
  const size_t arena_bytes = branches_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, BRANCHES_ARENA_ALIGN);
  inputs.x = run_2_input_x;
  inputs.rows = run_2_input_rows;
  outputs.y = (float*)allocate(152 * sizeof(float), 64);
  outputs.p = (float*)allocate(1000 * sizeof(float), 64);
  outputs.q = (float*)allocate(1000 * sizeof(float), 64);
  check(2, "init", branches_init(&context, arena, arena_bytes, weights, BRANCHES_WEIGHTS_BYTES));
  call_fill_stack();
  check(2, "run", branches_run(&context, &dims, &inputs, &outputs));
  branches_release(&context);
  if (!intact(arena, arena_bytes)) fail(2, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 152 * sizeof(float))) fail(2, "y", "is written beyond its end");
  compare(
      2,
      "y",
      kFloat32,
      outputs.y,
      run_2_output_y,
      152,
      152 * sizeof(float),
      1e-06,
      1e-04,
      152);
  if (!intact(outputs.p, 1000 * sizeof(float))) fail(2, "p", "is written beyond its end");
  compare(
      2,
      "p",
      kFloat32,
      outputs.p,
      run_2_output_p,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
  if (!intact(outputs.q, 1000 * sizeof(float))) fail(2, "q", "is written beyond its end");
  compare(
      2,
      "q",
      kFloat32,
      outputs.q,
      run_2_output_q,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04,
      1000);
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
  printf("branches: 3 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT-0
// The self-test of the network digits: runs the sample vectors of vectors.h and compares.
//   self_test weights/digits.bin
// Exit status 0: every result agrees; 1: not; 2: wrong call.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "digits.h"
#include "checks.h"
#include "vectors.h"

static void check(int run, const char* what, int32_t status) {
  if (status == 0) return;
  fail(run, what, digits_strerror(status));
  exit(1);
}

static void run_0(const void* weights) {
  digits_dims dims;
  digits_inputs inputs;
  digits_outputs outputs;
  digits_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 2;
  const size_t arena_bytes = digits_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, DIGITS_ARENA_ALIGN);
  inputs.image = run_0_input_image;
  outputs.probabilities = (float*)allocate(20 * sizeof(float), 64);
  check(0, "init", digits_init(&context, arena, arena_bytes, weights, DIGITS_WEIGHTS_BYTES));
  call_fill_stack();
  check(0, "run", digits_run(&context, &dims, &inputs, &outputs));
  digits_release(&context);
  if (!intact(arena, arena_bytes)) fail(0, "the arena", "is written beyond its end");
  if (!intact(outputs.probabilities, 20 * sizeof(float))) fail(0, "probabilities", "is written beyond its end");
  compare(
      0,
      "probabilities",
      kFloat32,
      outputs.probabilities,
      run_0_output_probabilities,
      20,
      20 * sizeof(float),
      1e-06,
      1e-04,
      20);
}

static void run_1(const void* weights) {
  digits_dims dims;
  digits_inputs inputs;
  digits_outputs outputs;
  digits_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  dims.batch = 2;
  const size_t arena_bytes = digits_arena_bytes(&dims);
  void* const arena = allocate(arena_bytes, DIGITS_ARENA_ALIGN);
  inputs.image = run_1_input_image;
  outputs.probabilities = (float*)allocate(20 * sizeof(float), 64);
  check(1, "init", digits_init(&context, arena, arena_bytes, weights, DIGITS_WEIGHTS_BYTES));
  call_fill_stack();
  check(1, "run", digits_run(&context, &dims, &inputs, &outputs));
  digits_release(&context);
  if (!intact(arena, arena_bytes)) fail(1, "the arena", "is written beyond its end");
  if (!intact(outputs.probabilities, 20 * sizeof(float))) fail(1, "probabilities", "is written beyond its end");
  compare(
      1,
      "probabilities",
      kFloat32,
      outputs.probabilities,
      run_1_output_probabilities,
      20,
      20 * sizeof(float),
      1e-06,
      1e-04,
      20);
}

int main(int argc, char** argv) {
  const void* weights = NULL;
  if (argc != 2) {
    printf("usage: %s weights/digits.bin\n", argv[0]);
    return 2;
  }
  FILE* const file = fopen(argv[1], "rb");
  void* const bytes = allocate(DIGITS_WEIGHTS_BYTES, DIGITS_WEIGHTS_ALIGN);
  if (file == NULL || fread(bytes, 1, DIGITS_WEIGHTS_BYTES, file) != DIGITS_WEIGHTS_BYTES) {
    printf("cannot read %s\n", argv[1]);
    return 2;
  }
  fclose(file);
  weights = bytes;
  const uint8_t* const kept = last_block;
  for (size_t i = 0; i < sizeof kFills; ++i) {
    fill = kFills[i];
    run_0(weights);
    release_behind(kept);
    run_1(weights);
    release_behind(kept);
  }
  printf("digits: 2 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

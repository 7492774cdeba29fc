// SPDX-License-Identifier: MIT-0
// The self-test of the network qdq_conv: runs the sample vectors of vectors.h and compares.
//   self_test
// Exit status 0: every result agrees; 1: not; 2: wrong call.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qdq_conv.h"
#include "checks.h"
#include "vectors.h"

static void check(int run, const char* what, int32_t status) {
  if (status == 0) return;
  fail(run, what, qdq_conv_strerror(status));
  exit(1);
}

static void run_0(const void* weights) {
  qdq_conv_inputs inputs;
  qdq_conv_outputs outputs;
  qdq_conv_context context;
  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  const size_t arena_bytes = qdq_conv_arena_bytes();
  void* const arena = allocate(arena_bytes, QDQ_CONV_ARENA_ALIGN);
  inputs.x = run_0_input_x;
  outputs.y = (uint8_t*)allocate(768 * sizeof(uint8_t), 64);
  check(0, "init", qdq_conv_init(&context, arena, arena_bytes, weights, QDQ_CONV_WEIGHTS_BYTES));
  call_fill_stack();
  check(0, "run", qdq_conv_run(&context, &inputs, &outputs));
  if (!intact(arena, arena_bytes)) fail(0, "the arena", "is written beyond its end");
  if (!intact(outputs.y, 768 * sizeof(uint8_t))) fail(0, "y", "is written beyond its end");
  compare(
      0,
      "y",
      kUint8,
      outputs.y,
      run_0_output_y,
      768,
      768 * sizeof(uint8_t),
      1.0,
      0.0,
      4);
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
  }
  printf("qdq_conv: 1 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

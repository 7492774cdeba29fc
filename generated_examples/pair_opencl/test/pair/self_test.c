// SPDX-License-Identifier: MIT-0
// The self-test of the network pair: runs the sample vectors of vectors.h and compares.
//   self_test
// Exit status 0: every result agrees; 1: not; 2: wrong call.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "vectors.h"

enum kind {
  kBytes,
  kInt8,
  kUint8,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64
};

static int failures = 0;

static double from_float16(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const double fraction = bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value = bits & 1023 ? (double)NAN : (double)INFINITY;
  } else {
    value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
  }
  return bits >> 15 ? -value : value;
}

static double from_bfloat16(uint16_t bits) {
  const uint32_t wide = (uint32_t)bits << 16;
  float value = 0;
  memcpy(&value, &wide, sizeof value);
  return (double)value;
}

static double element(enum kind kind, const void* data, size_t i) {
  switch (kind) {
    case kInt8:
      return (double)((const int8_t*)data)[i];
    case kUint8:
      return (double)((const uint8_t*)data)[i];
    case kFloat16:
      return from_float16(((const uint16_t*)data)[i]);
    case kBfloat16:
      return from_bfloat16(((const uint16_t*)data)[i]);
    case kFloat32:
      return (double)((const float*)data)[i];
    case kFloat64:
      return ((const double*)data)[i];
    case kBytes:
      break;
  }
  return 0;
}

static void fail(int run, const char* output, const char* what) {
  printf("run %d, %s: %s\n", run, output, what);
  ++failures;
}

// |got - wanted| <= absolute + relative * max|wanted|; of the absolute part at most half of that
// maximum, so that zeros never agree with floats. NaN agrees with NaN, infinity with itself.
static void compare(
    int run,
    const char* output,
    enum kind kind,
    const void* got,
    const void* wanted,
    size_t elements,
    size_t bytes,
    double absolute,
    double relative) {
  double most = 0;
  double worst = 0;
  if (kind == kBytes) {
    if (memcmp(got, wanted, bytes) != 0) fail(run, output, "differs");
    return;
  }
  for (size_t i = 0; i < elements; ++i) {
    const double w = fabs(element(kind, wanted, i));
    if (isfinite(w) && w > most) most = w;
  }
  for (size_t i = 0; i < elements; ++i) {
    const double g = element(kind, got, i);
    const double w = element(kind, wanted, i);
    if (isfinite(g) && isfinite(w)) {
      worst = fabs(g - w) > worst ? fabs(g - w) : worst;
    } else if (!(isnan(g) && isnan(w)) && !(isinf(g) && isinf(w) && (g > 0) == (w > 0))) {
      worst = INFINITY;
    }
  }
  if (kind >= kFloat16 && most > 0 && absolute > most / 2) absolute = most / 2;
  if (worst > absolute + relative * most) fail(run, output, "differs");
}

static void* allocate(size_t bytes, size_t align) {
  uint8_t* const memory = (uint8_t*)malloc(bytes + align);
  if (memory == NULL) {
    printf("out of memory\n");
    exit(2);
  }
  return memory + (align - (uintptr_t)memory % align);
}

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
  check(0, "run", pair_run(&context, &dims, &inputs, &outputs));
  pair_release(&context);
  compare(
      0,
      "branches_y",
      kFloat32,
      outputs.branches_y,
      run_0_output_branches_y,
      152,
      152 * sizeof(float),
      1e-06,
      1e-04);
  compare(
      0,
      "branches_p",
      kFloat32,
      outputs.branches_p,
      run_0_output_branches_p,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04);
  compare(
      0,
      "branches_q",
      kFloat32,
      outputs.branches_q,
      run_0_output_branches_q,
      1000,
      1000 * sizeof(float),
      1e-06,
      1e-04);
  compare(
      0,
      "softmax_last",
      kFloat32,
      outputs.softmax_last,
      run_0_output_softmax_last,
      24,
      24 * sizeof(float),
      1e-06,
      1e-04);
  compare(
      0,
      "softmax_middle",
      kFloat32,
      outputs.softmax_middle,
      run_0_output_softmax_middle,
      24,
      24 * sizeof(float),
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
  printf("pair: 1 runs, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

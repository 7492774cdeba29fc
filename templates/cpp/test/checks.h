// SPDX-License-Identifier: MIT-0
// What a self-test compares results with, and memory that tells what is wrong with a run: it holds
// no zeros before, and a guard behind its end.
#ifndef BURIN_SELF_TEST_CHECKS_H
#define BURIN_SELF_TEST_CHECKS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
// maximum, so that zeros never agree with floats. NaN agrees with NaN, infinity with itself. No more
// than `most_off` elements are others at all.
static void compare(
    int run,
    const char* output,
    enum kind kind,
    const void* got,
    const void* wanted,
    size_t elements,
    size_t bytes,
    double absolute,
    double relative,
    size_t most_off) {
  double most = 0;
  double worst = 0;
  size_t off = 0;
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
    off += !(g == w);
    if (isfinite(g) && isfinite(w)) {
      worst = fabs(g - w) > worst ? fabs(g - w) : worst;
    } else if (!(isnan(g) && isnan(w)) && !(isinf(g) && isinf(w) && (g > 0) == (w > 0))) {
      worst = INFINITY;
    }
  }
  if (kind >= kFloat16 && most > 0 && absolute > most / 2) absolute = most / 2;
  if (worst > absolute + relative * most || off > most_off) fail(run, output, "differs");
}

enum {
  kGuardBytes = 64,
  kGuard = 0xC3
};

// What memory holds before a run: bytes of an ordinary number, then of none at all.
static const uint8_t kFills[2] = {0x5A, 0xFF};
static uint8_t fill = 0x5A;

enum { kStackBytes = 4096 };

// So does the stack below: what a kernel has not written there is no zero.
static void fill_stack(void) {
  volatile uint8_t room[kStackBytes];
  for (size_t i = 0; i < sizeof room; ++i) room[i] = fill;
  (void)room[0];
}
static void (*volatile const call_fill_stack)(void) = fill_stack;  // a frame of its own

static uint8_t* last_block = NULL;  // the memory of allocate(), each with the place of the one before

static void* allocate(size_t bytes, size_t align) {
  uint8_t* const memory = (uint8_t*)malloc(sizeof last_block + bytes + align + kGuardBytes);
  if (memory == NULL) {
    printf("out of memory\n");
    exit(2);
  }
  memcpy(memory, &last_block, sizeof last_block);
  last_block = memory;
  uint8_t* const behind = memory + sizeof last_block;
  uint8_t* const data = behind + (align - (uintptr_t)behind % align);
  memset(data, fill, bytes);
  memset(data + bytes, kGuard, kGuardBytes);
  return data;
}

// Gives back what was allocated since `block` was the last.
static void release_behind(const uint8_t* block) {
  while (last_block != block) {
    uint8_t* const memory = last_block;
    memcpy(&last_block, memory, sizeof last_block);
    free(memory);
  }
}

// Whether nobody wrote behind what allocate() gave.
static int intact(const void* data, size_t bytes) {
  const uint8_t* const guard = (const uint8_t*)data + bytes;
  for (size_t i = 0; i < kGuardBytes; ++i) {
    if (guard[i] != kGuard) return 0;
  }
  return 1;
}

#endif  // BURIN_SELF_TEST_CHECKS_H

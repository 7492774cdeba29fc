// SPDX-License-Identifier: MIT-0
// Numbers that a self-test draws for itself: the upper bits of a linear congruence.
#ifndef BURIN_SELF_TEST_DRAWN_H
#define BURIN_SELF_TEST_DRAWN_H

#include <stdint.h>
#include <string.h>

static inline uint64_t sequence(uint64_t number) {
  return number * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static inline int below(int bound, uint64_t* numbers) {
  *numbers = *numbers * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((*numbers >> 33) % (uint64_t)bound);
}

static inline float drawn_float32(uint64_t* numbers) {
  return (float)(below(128, numbers) - 64) / 64;
}

static inline uint16_t drawn_bfloat16(uint64_t* numbers) {
  const float value = drawn_float32(numbers);
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return (uint16_t)(bits >> 16);
}

// None of these numbers is subnormal.
static inline uint16_t drawn_float16(uint64_t* numbers) {
  const float value = drawn_float32(numbers);
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  if (bits == 0) return 0;
  return (uint16_t)((bits >> 16 & 0x8000) | ((bits >> 13 & 0x3FFFF) - (112u << 10)));
}

#endif  // BURIN_SELF_TEST_DRAWN_H

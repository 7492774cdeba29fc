// SPDX-License-Identifier: MIT-0
// Whole numbers of up to 4096 bits: what numbers that are written in tens need, to be rounded
// exactly. Callers see to it that nothing grows beyond.
#ifndef BURIN_RT_BIG_WHOLE_H
#define BURIN_RT_BIG_WHOLE_H

#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

struct BigWhole {
  static constexpr int32_t kMost = 128;
  uint32_t limbs[kMost];  // the lowest first
  int32_t used;           // the last of them is not 0
};

static inline void set_whole(BigWhole& a, uint64_t value) {
  a.used = 0;
  for (; value != 0; value >>= 32) a.limbs[a.used++] = static_cast<uint32_t>(value);
}

// a = a * factor + more
static inline void multiply_whole(BigWhole& a, uint32_t factor, uint32_t more) {
  uint64_t carry = more;
  for (int32_t i = 0; i < a.used; ++i) {
    carry += static_cast<uint64_t>(a.limbs[i]) * factor;
    a.limbs[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0 && a.used < BigWhole::kMost) a.limbs[a.used++] = static_cast<uint32_t>(carry);
}

static inline void multiply_by_tens(BigWhole& a, int32_t count) {
  for (; count >= 9; count -= 9) multiply_whole(a, 1000000000u, 0);
  for (; count > 0; --count) multiply_whole(a, 10u, 0);
}

static inline int32_t bits_of_whole(const BigWhole& a) {
  if (a.used == 0) return 0;
  int32_t bits = 32 * a.used;
  for (uint32_t top = a.limbs[a.used - 1]; (top & 0x80000000u) == 0; top <<= 1) --bits;
  return bits;
}

// a = a * 2^bits
static inline void shift_whole(BigWhole& a, int32_t bits) {
  const int32_t limbs = bits / 32, rest = bits % 32;
  if (a.used == 0 || a.used + limbs + 1 > BigWhole::kMost) return;
  for (int32_t i = a.used - 1; i >= 0; --i) a.limbs[i + limbs] = a.limbs[i];
  for (int32_t i = 0; i < limbs; ++i) a.limbs[i] = 0;
  a.used += limbs;
  if (rest != 0) multiply_whole(a, 1u << rest, 0);
}

// Below 0, 0 or above 0 as a is less than, equal to or greater than b.
static inline int32_t compare_whole(const BigWhole& a, const BigWhole& b) {
  if (a.used != b.used) return a.used < b.used ? -1 : 1;
  for (int32_t i = a.used - 1; i >= 0; --i) {
    if (a.limbs[i] != b.limbs[i]) return a.limbs[i] < b.limbs[i] ? -1 : 1;
  }
  return 0;
}

// a = a - b, where b is at most a.
static inline void subtract_whole(BigWhole& a, const BigWhole& b) {
  uint64_t borrow = 0;
  for (int32_t i = 0; i < a.used; ++i) {
    const uint64_t other = (i < b.used ? b.limbs[i] : 0u) + borrow;
    borrow = a.limbs[i] < other ? 1 : 0;
    a.limbs[i] = static_cast<uint32_t>(a.limbs[i] - other);
  }
  while (a.used > 0 && a.limbs[a.used - 1] == 0) --a.used;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_BIG_WHOLE_H

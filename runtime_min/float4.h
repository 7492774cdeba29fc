// SPDX-License-Identifier: MIT-0
// Floating-point numbers of four bits, e2m1, as a code in the low bits of a uint8_t: 0, 0.5,
// 1, 1.5, 2, 3, 4, 6 and their negatives. There is no infinity and no NaN: narrowing rounds to
// nearest even and stops at 6; NaN becomes a zero, of the other sign.
#ifndef BURIN_RT_FLOAT4_H
#define BURIN_RT_FLOAT4_H

#include "bits.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

static inline float f4e2m1_to_f32(uint8_t code) {
  const uint32_t magnitude = code & 7u;
  // A normal number has a bias of 1 and one place; 0.5 is the only one below.
  const uint32_t normal = (magnitude << 22) + (126u << 23);
  const uint32_t subnormal = select(magnitude == 1u, 126u << 23, 0u);
  const uint32_t bits = select(magnitude < 2u, subnormal, normal);
  return f32_from_bits(bits | (code & 8u) << 28);
}

static inline uint8_t f32_to_f4e2m1(float x) {
  const uint32_t bits = to_bits(x);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t odd = (magnitude >> 22) & 1u;
  const uint32_t normal = (magnitude - (126u << 23) + 0x001fffffu + odd) >> 22;
  // 2^22 has a last place of 0.5.
  const uint32_t subnormal =
      to_bits(f32_from_bits(magnitude) + f32_from_bits(149u << 23)) - (149u << 23);
  uint32_t code = select(magnitude < (127u << 23), subnormal, normal);
  code = select(magnitude >= (129u << 23) + 0x00400000u, 7u, code);
  const uint32_t sign = (bits >> 28) & 8u;
  return static_cast<uint8_t>(select(x != x, sign ^ 8u, code | sign));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FLOAT4_H

// SPDX-License-Identifier: MIT-0
// CRC-32 as in zlib, PNG and Ethernet (polynomial 0xedb88320, reflected, inverted at both ends).
// A table of 16 words, two lookups per byte: small enough for firmware, about 0.3 GB/s.
#ifndef BURIN_RT_CRC32_H
#define BURIN_RT_CRC32_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// The CRC of `bytes` bytes following data whose CRC was `before` (0 for none).
static inline uint32_t crc32(const void* data, uint64_t bytes, uint32_t before = 0) {
  // kTable[n] is the remainder of n * x^28
  static constexpr uint32_t kTable[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                          0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                          0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                          0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
  const unsigned char* p = static_cast<const unsigned char*>(data);
  uint32_t crc = ~before;
  for (uint64_t i = 0; i < bytes; ++i) {
    crc ^= p[i];
    crc = (crc >> 4) ^ kTable[crc & 15u];
    crc = (crc >> 4) ^ kTable[crc & 15u];
  }
  return ~crc;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_CRC32_H

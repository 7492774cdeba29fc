// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef BRANCHES_MEMORY_H
#define BRANCHES_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace branches_memory {

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  int64_t b1;  // f32[batch, 12, h, w]
  int64_t c0;  // f32[batch, 6, h, w]
  int64_t joined;  // f32[batch, 38, h, w]
};

inline Plan plan(int64_t batch, int64_t h, int64_t w, int64_t n) {
  (void)batch;
  (void)h;
  (void)w;
  (void)n;
  Plan p{};
  const int64_t part_0 = (3 * batch * h * w + 15) / 16;
  const int64_t part_1 = burin_rt::maximum<int64_t>(
      batch * h * w + 2 * part_0, batch * h * w + ((3 * batch * h * w + 7) / 8) + part_0);
  p.bytes = 128 * part_1;
  p.b1 = 128 * batch * h * w + 128 * part_0;
  p.c0 = 128 * batch * h * w + 128 * part_0;
  p.joined = 0;
  return p;
}

// Offsets in the weights.
namespace constants {
constexpr size_t a_conv_rows = 0;  // f32[1, 6, 8]
constexpr size_t b_reduce_rows = a_conv_rows + 192;  // f32[1, 6, 16]
constexpr size_t w_d = b_reduce_rows + 384;  // f32[6, 1, 3, 3]
constexpr size_t b_conv_rows = w_d + 256;  // f32[1, 108, 16]
constexpr size_t gain = b_conv_rows + 6912;  // f32[200]
constexpr size_t shift = gain + 832;  // f32[200]
constexpr size_t c_project_rows = shift + 832;  // f32[1, 6, 8]
}  // namespace constants

const uint8_t* embedded_weights();  // in branches_weights.cpp

}  // namespace branches_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

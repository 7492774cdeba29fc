// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef BRANCHES_MEMORY_H
#define BRANCHES_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"
#include "rt/place.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace branches_memory {

using burin_rt::Place;

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  Place<float> b1;  // f32[batch, 12, h, w]
  Place<float> c0;  // f32[batch, 6, h, w]
  Place<float> joined;  // f32[batch, 38, h, w]
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
namespace at {
constexpr Place<float> a_conv_rows = 0;  // f32[1, 6, 8]
constexpr Place<float> b_reduce_rows = a_conv_rows + 192;  // f32[1, 6, 16]
constexpr Place<float> w_d = b_reduce_rows + 384;  // f32[6, 1, 3, 3]
constexpr Place<float> b_conv_rows = w_d + 256;  // f32[1, 108, 16]
constexpr Place<float> gain = b_conv_rows + 6912;  // f32[200]
constexpr Place<float> shift = gain + 832;  // f32[200]
constexpr Place<float> c_project_rows = shift + 832;  // f32[1, 6, 8]
}  // namespace at

const uint8_t* embedded_weights();  // in branches_weights.cpp

}  // namespace branches_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef PAIR_MEMORY_H
#define PAIR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"
#include "rt/place.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace pair_memory {

using burin_rt::Place;

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  Place<float> branches_b1;  // f32["branches.batch", 12, "branches.h", "branches.w"]
  Place<float> branches_c0;  // f32["branches.batch", 6, "branches.h", "branches.w"]
  Place<float> branches_joined;  // f32["branches.batch", 38, "branches.h", "branches.w"]
};

inline Plan plan(
    int64_t branches_batch, int64_t branches_h, int64_t branches_w, int64_t branches_n, int64_t softmax_batch,
    int64_t softmax_rows, int64_t softmax_cols) {
  (void)branches_batch;
  (void)branches_h;
  (void)branches_w;
  (void)branches_n;
  (void)softmax_batch;
  (void)softmax_rows;
  (void)softmax_cols;
  Plan p{};
  const int64_t part_0 = (3 * branches_batch * branches_h * branches_w + 15) / 16;
  const int64_t part_1 = burin_rt::maximum<int64_t>(
      branches_batch * branches_h * branches_w + 2 * part_0,
      branches_batch * branches_h * branches_w + ((3 * branches_batch * branches_h * branches_w + 7) / 8) + part_0);
  p.bytes = 128 * part_1;
  p.branches_b1 = 128 * branches_batch * branches_h * branches_w + 128 * part_0;
  p.branches_c0 = 128 * branches_batch * branches_h * branches_w + 128 * part_0;
  p.branches_joined = 0;
  return p;
}

// Offsets in the weights.
namespace at {
constexpr Place<float> branches_a_conv_rows = 64;  // f32[1, 6, 8]
constexpr Place<float> branches_b_reduce_rows = branches_a_conv_rows + 192;  // f32[1, 6, 16]
constexpr Place<float> branches_w_d = branches_b_reduce_rows + 384;  // f32[6, 1, 3, 3]
constexpr Place<float> branches_b_conv_rows = branches_w_d + 256;  // f32[1, 108, 16]
constexpr Place<float> branches_gain = branches_b_conv_rows + 6912;  // f32[200]
constexpr Place<float> branches_shift = branches_gain + 832;  // f32[200]
constexpr Place<float> branches_c_project_rows = branches_shift + 832;  // f32[1, 6, 8]
}  // namespace at

const uint8_t* embedded_weights();  // in pair_weights.cpp

}  // namespace pair_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

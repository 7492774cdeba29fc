// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef QDQ_CONV_MEMORY_H
#define QDQ_CONV_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"
#include "rt/place.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace qdq_conv_memory {

using burin_rt::Place;

// Offsets in the arena.
struct Plan {
  int64_t bytes = 4352;  // of the whole arena
  Place<uint8_t> x_int = 3328;  // u8[1, 4, 16, 16]
  Place<uint8_t> y_scratch = 0;  // 3328 bytes
};

constexpr Plan plan() { return Plan(); }

// Offsets in the weights.
namespace at {
constexpr Place<float> x_scale = 0;  // f32[]
constexpr Place<uint8_t> x_zero = x_scale + 64;  // u8[]
constexpr Place<float> x_q_scale = x_zero + 64;  // f32[1]
constexpr Place<int32_t> x_q_line = x_q_scale + 64;  // i32[4]
constexpr Place<float> w_scale = x_q_line + 64;  // f32[6]
constexpr Place<float> b_back = w_scale + 64;  // f32[6]
constexpr Place<float> y_scale = b_back + 64;  // f32[]
constexpr Place<uint8_t> y_zero = y_scale + 64;  // u8[]
constexpr Place<int8_t> conv_panels = y_zero + 64;  // i8[2, 3, 3, 1, 3, 4]
constexpr Place<int32_t> conv_sums = conv_panels + 256;  // i32[6]
constexpr Place<int32_t> conv_lines = conv_sums + 64;  // i32[6, 6]
}  // namespace at

const uint8_t* embedded_weights();  // in qdq_conv_weights.cpp

}  // namespace qdq_conv_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

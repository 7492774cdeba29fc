// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef LSTM_MEMORY_H
#define LSTM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"
#include "rt/place.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace lstm_memory {

using burin_rt::Place;

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  Place<float> lstm_projection;  // f32[2, seq, batch, 16]
  Place<uint8_t> lstm_projection_scratch;  // 64*((5*min(6552, 6*((batch*seq + 5) // 6)) + 15) // 16) byte...
  Place<uint8_t> y_scratch;  // 128*((batch + 1) // 2) bytes
  Place<uint8_t> y_scratch_1;  // 128*((batch + 1) // 2) bytes
};

inline Plan plan(int64_t seq, int64_t batch) {
  (void)seq;
  (void)batch;
  Plan p{};
  const int64_t part_0 = burin_rt::minimum<int64_t>(6552, 6 * ((batch * seq + 5) / 6));
  const int64_t part_1 = burin_rt::maximum<int64_t>(
      2 * batch * seq + 2 * ((batch + 1) / 2), 2 * batch * seq + ((5 * part_0 + 15) / 16));
  p.bytes = 64 * part_1;
  p.lstm_projection = 0;
  p.lstm_projection_scratch = 128 * batch * seq;
  p.y_scratch = 128 * batch * seq;
  p.y_scratch_1 = 128 * batch * seq;
  return p;
}

// Offsets in the weights.
namespace at {
constexpr Place<float> b_folded = 0;  // f32[2, 16]
constexpr Place<float> lstm_columns = b_folded + 128;  // f32[4, 5, 8]
constexpr Place<float> r = lstm_columns + 640;  // f32[2, 16, 4]
}  // namespace at

const uint8_t* embedded_weights();  // in lstm_weights.cpp

}  // namespace lstm_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

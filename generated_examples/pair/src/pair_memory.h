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
  Place<float> lstm_lstm_projection;  // f32[2, "lstm.seq", "lstm.batch", 16]
  Place<uint8_t> lstm_lstm_projection_scratch;  // 64*((5*min(6552, 6*((lstm_batch*lstm_seq + 5) // 6)) + 15) /...
  Place<uint8_t> lstm_y_scratch;  // 128*((lstm_batch + 1) // 2) bytes
  Place<uint8_t> lstm_y_scratch_1;  // 128*((lstm_batch + 1) // 2) bytes
};

inline Plan plan(
    int64_t lstm_seq, int64_t lstm_batch, int64_t softmax_batch, int64_t softmax_rows, int64_t softmax_cols) {
  (void)lstm_seq;
  (void)lstm_batch;
  (void)softmax_batch;
  (void)softmax_rows;
  (void)softmax_cols;
  Plan p{};
  const int64_t part_0 = burin_rt::minimum<int64_t>(6552, 6 * ((lstm_batch * lstm_seq + 5) / 6));
  const int64_t part_1 = burin_rt::maximum<int64_t>(
      2 * lstm_batch * lstm_seq + 2 * ((lstm_batch + 1) / 2), 2 * lstm_batch * lstm_seq + ((5 * part_0 + 15) / 16));
  p.bytes = 64 * part_1;
  p.lstm_lstm_projection = 0;
  p.lstm_lstm_projection_scratch = 128 * lstm_batch * lstm_seq;
  p.lstm_y_scratch = 128 * lstm_batch * lstm_seq;
  p.lstm_y_scratch_1 = 128 * lstm_batch * lstm_seq;
  return p;
}

// Offsets in the weights.
namespace at {
constexpr Place<float> lstm_b_folded = 64;  // f32[2, 16]
constexpr Place<float> lstm_lstm_columns = lstm_b_folded + 128;  // f32[4, 5, 8]
constexpr Place<float> lstm_r = lstm_lstm_columns + 640;  // f32[2, 16, 4]
}  // namespace at

const uint8_t* embedded_weights();  // in pair_weights.cpp

}  // namespace pair_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

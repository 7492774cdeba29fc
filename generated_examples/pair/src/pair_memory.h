// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef PAIR_MEMORY_H
#define PAIR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace pair_memory {

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  int64_t lstm_lstm_projection;  // f32[2, "lstm.seq", "lstm.batch", 16]
  int64_t lstm_lstm_projection_scratch;  // 64*((5*min(6552, 6*((lstm_batch*lstm_seq + 5) /\x2f 6)) + 15...
  int64_t lstm_y_scratch;  // 128*((lstm_batch + 1) /\x2f 2) bytes
  int64_t lstm_y_scratch_1;  // 128*((lstm_batch + 1) /\x2f 2) bytes
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
namespace constants {
constexpr size_t lstm_b_folded = 64;  // f32[2, 16]
constexpr size_t lstm_lstm_columns = lstm_b_folded + 128;  // f32[4, 5, 8]
constexpr size_t lstm_r = lstm_lstm_columns + 640;  // f32[2, 16, 4]
}  // namespace constants

const uint8_t* embedded_weights();  // in pair_weights.cpp

}  // namespace pair_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

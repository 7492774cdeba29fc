// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef LSTM_MEMORY_H
#define LSTM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace lstm_memory {

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  int64_t lstm_projection;
  int64_t scratch_0;
  int64_t scratch_1;
  int64_t scratch_2;
};

inline Plan plan(int64_t seq, int64_t batch) {
  (void)seq;
  (void)batch;
  Plan p{};
  const int64_t part_0 = burin_rt::minimum<int64_t>(6552, 6 * ((batch * seq + 5) / 6));
  const int64_t part_1 = burin_rt::maximum<int64_t>(2 * batch * seq + 2 * ((batch + 1) / 2), 2 * batch * seq + ((5 * part_0 + 15) / 16));
  p.bytes = 64 * part_1;
  p.lstm_projection = 0;
  p.scratch_0 = 128 * batch * seq;
  p.scratch_1 = 128 * batch * seq;
  p.scratch_2 = 128 * batch * seq;
  return p;
}

// Offsets in the weights.
namespace constants {
constexpr size_t r = 768;
constexpr size_t b_folded = 0;
constexpr size_t lstm_columns = 128;
}  // namespace constants

const uint8_t* embedded_weights();  // in lstm_weights.cpp

}  // namespace lstm_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif

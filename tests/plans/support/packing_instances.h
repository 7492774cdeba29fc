// Packing problems for tests and for the command beside them; from a seed, the same everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/packing/buffer_packing.h"

namespace burin::test {

// Numbers from a seed (splitmix64), since the distributions of the library differ between
// platforms.
class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(seed) {}
  uint64_t next();
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(bound));
  }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }  // inclusive
  bool one_in(int64_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

// Sizes 1..max_size, lifetimes anywhere in 0..positions, some with a gap.
std::vector<LiveBuffer> random_buffers(Numbers& numbers, int count, int positions,
                                       int64_t max_size);

// A rectangle of `positions` times `capacity`, cut by guillotine into `count` buffers, of which
// `removed_percent` are taken away: it fits into `capacity`, and greedy rules miss that by a third.
std::vector<LiveBuffer> cut_buffers(Numbers& numbers, int count, int positions, int64_t capacity,
                                    int removed_percent);

// The least height, by trying every order of placement. For up to 8 buffers.
int64_t least_height(const std::vector<LiveBuffer>& buffers);

}  // namespace burin::test

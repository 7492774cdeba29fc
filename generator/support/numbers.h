// Numbers that look random and are the same everywhere: the upper bits of a linear congruence.
#pragma once

#include <cstdint>

namespace burin {

class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint64_t below(uint64_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % bound;
  }

 private:
  uint64_t state_;
};

}  // namespace burin

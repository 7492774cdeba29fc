// A set of positions of a program (plan/memory/lifetime.h), a bit each. A network has up to 20,000
// values of as many positions, so sets are compared and joined by words, and visits skip what is
// empty.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace burin {

class PositionSet {
 public:
  PositionSet() = default;
  // None of so many positions, or all.
  explicit PositionSet(size_t positions, bool all = false) : size_(positions) {
    words_.assign((positions + kBits - 1) / kBits, 0);
    if (all) set(0, positions, true);
  }

  size_t size() const { return size_; }  // positions, in the set or not
  bool operator[](size_t position) const {
    return (words_[position / kBits] >> position % kBits & 1) != 0;
  }
  bool empty() const;
  bool meets(const PositionSet& other) const;  // requires the same size
  // Of the first member; size() where there is none.
  size_t first() const;

  void set(size_t position, bool in = true) {
    const uint64_t bit = uint64_t{1} << position % kBits;
    uint64_t& word = words_[position / kBits];
    word = in ? word | bit : word & ~bit;
  }
  void set(size_t first, size_t end, bool in);
  PositionSet& operator|=(const PositionSet& other);  // requires the same size
  PositionSet& operator&=(const PositionSet& other);  // requires the same size

  // In ascending order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(w * kBits + static_cast<size_t>(std::countr_zero(left)));
    }
  }

 private:
  static constexpr size_t kBits = 64;

  size_t size_ = 0;
  std::vector<uint64_t> words_;  // bits beyond size_ are 0
};

}  // namespace burin

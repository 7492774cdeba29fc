#include "plan/packing/position_set.h"

#include <algorithm>

namespace burin {

bool PositionSet::empty() const {
  return std::all_of(words_.begin(), words_.end(), [](uint64_t word) { return word == 0; });
}

bool PositionSet::meets(const PositionSet& other) const {
  for (size_t w = 0; w < words_.size(); ++w) {
    if ((words_[w] & other.words_[w]) != 0) return true;
  }
  return false;
}

size_t PositionSet::first() const {
  for (size_t w = 0; w < words_.size(); ++w) {
    if (words_[w] != 0) return w * kBits + static_cast<size_t>(std::countr_zero(words_[w]));
  }
  return size_;
}

void PositionSet::set(size_t first, size_t end, bool in) {
  while (first < end) {
    const size_t word = first / kBits, from = first % kBits;
    const size_t count = std::min(end - first, kBits - from);
    const uint64_t bits = (count == kBits ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << from;
    words_[word] = in ? words_[word] | bits : words_[word] & ~bits;
    first += count;
  }
}

PositionSet& PositionSet::operator|=(const PositionSet& other) {
  for (size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  return *this;
}

PositionSet& PositionSet::operator&=(const PositionSet& other) {
  for (size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  return *this;
}

}  // namespace burin

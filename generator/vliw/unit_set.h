// A set of a block's units, by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace burin::vliw {

class UnitSet {
 public:
  explicit UnitSet(size_t units) : words_((units + 63) / 64, 0) {}
  bool has(int u) const {
    return ((words_[static_cast<size_t>(u) / 64] >> (static_cast<size_t>(u) % 64)) & 1) != 0;
  }
  void add(int u) {
    words_[static_cast<size_t>(u) / 64] |= uint64_t{1} << (static_cast<size_t>(u) % 64);
  }
  void operator|=(const UnitSet& o) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] |= o.words_[w];
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace burin::vliw

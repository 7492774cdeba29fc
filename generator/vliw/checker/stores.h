// The stores that a symbolic run has done, and which of them an access may see. A set of values is
// kept as the sum of a hash of 128 bits of each, so that it is the same in whatever order they were
// done: taking two different sets for one needs a collision of 128 bits.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace burin::vliw {

// A store that was done, or a load: bytes [low, high) from a root value.
struct Touch {
  int value = 0;  // the store's number, which holds the stores it comes after
  bool known = false;
  int root = 0;
  int64_t low = 0, high = 0;
  bool line = false;  // whole vectors: the low address bits are ignored
  int64_t address = 0;
};

// The addresses of two roots are more than `window` bytes apart, around the circle of 32 bits.
struct Apart {
  int a = 0, b = 0;  // roots
  int64_t window = 0;
};

// Unknown addresses always may meet; different roots unless they are known to be apart.
bool meet(const Touch& a, const Touch& b, const std::vector<Apart>& apart);

struct ValueSet {
  uint64_t a = 0, b = 0;
  void add(int value);
  void remove(int value);
  ValueSet operator-(const ValueSet& o) const { return {a - o.a, b - o.b}; }
  bool operator==(const ValueSet&) const = default;
};

// The set as four operands.
void append(std::vector<int>& operands, const ValueSet& set);

class Stores {
 public:
  // What is known about roots; before the first store.
  void assume(std::vector<Apart> apart) { apart_ = std::move(apart); }
  const std::vector<Apart>& apart() const { return apart_; }
  void add(const Touch& store);
  void clear();
  const ValueSet& all() const { return all_; }

  // What an access comes after: the set of stores of other roots that it may meet, and, sorted, the
  // numbers of those of its own root that it meets. O(1) and the stores within a vector's length of
  // it; all stores where roots are known to be apart.
  ValueSet before(const Touch& access, std::vector<int>& own) const;

 private:
  ValueSet all_;
  std::unordered_map<int, ValueSet> of_root_;              // looked up only, never walked
  std::unordered_map<uint64_t, std::vector<Touch>> near_;  // by root and part of the address
  std::vector<Apart> apart_;
  std::vector<Touch> done_;  // kept where roots are known to be apart
};

}  // namespace burin::vliw

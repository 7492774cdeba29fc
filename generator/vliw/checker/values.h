// Numbers for values: equal numbers are equal values. A value is a register at the start, the
// result of an operation on values, a value plus a constant, or a choice by a predicate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vliw/registers.h"

namespace burin::vliw {

// Every operation that takes a key takes time linear in the key.
class Values {
 public:
  Values();

  // A number for a text; texts and values are numbered apart.
  int name(std::string_view text);
  const std::string& text(int name) const { return *texts_[static_cast<size_t>(name)]; }

  // A text among operands: below 0, where no value is.
  int tag(std::string_view text) { return -1 - name(text); }

  int start(int reg) const { return reg; }
  int operation(int name, const std::vector<int>& operands, int output);
  int plus(int value, int64_t constant);
  int choice(int predicate, bool sense, int chosen, int otherwise);

  // What a value is when the predicate is known to be `sense`.
  int under(int value, int predicate, bool sense) const;

  // value = root + constant
  std::pair<int, int64_t> split(int value) const {
    return {roots_[static_cast<size_t>(value)], constants_[static_cast<size_t>(value)]};
  }

 private:
  struct Choice {
    int predicate = -1, when_true = 0, when_false = 0;
  };
  int number(const std::vector<int>& key, int root, int64_t constant);
  void grow();

  std::unordered_map<std::string, int> names_;  // looked up only, never walked
  std::vector<const std::string*> texts_;
  std::vector<int> keys_;       // the keys of all values, one behind the other
  std::vector<size_t> key_at_;  // where each value's key starts; one more at the end
  std::vector<uint64_t> hashes_;
  std::vector<int> table_;  // open addressing; -1: free
  std::vector<int> roots_;
  std::vector<int64_t> constants_;
  std::unordered_map<int, Choice> choices_;  // looked up only, never walked
  std::vector<int> scratch_;
};

}  // namespace burin::vliw

// What the checker of memory plans compares: bytes, and sizes at which it looks.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct Region {
  ValueId space = kNoValue;  // kNoValue: the arena
  int64_t from = 0, to = 0;  // bytes
};

inline bool meet(const Region& a, const Region& b) {
  return a.space == b.space && a.from < b.to && b.from < a.to;
}

// Whether steps may write something else into the memory of a value: an output that is as large as
// its shape says, because the caller's sizes tell it.
bool is_room(const Value& value);

// The symbols of the caller and those of all extents, by name, each once.
std::vector<Symbol> sizes_of(const KernelGraph& graph);

// All symbols at the hints (0), their lowest (1), their highest (2), or in between, what other
// sizes bound at most at their value; `high_cut` cuts those that nothing bounds well below it.
int64_t size_in_sample(const Symbol& symbol, int sample, int64_t high_cut);

}  // namespace burin

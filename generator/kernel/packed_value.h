// Sequences and optionals of the interface whose length only the caller or the run knows: one
// tensor that holds theirs one after the other (ops/api/sequences/packing.h says how), beside it
// their extents.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace burin {

// Where such a value stands among the tensors of an interface. It is several in a row:
//   holds     i64 []: 1 where an optional of a sequence holds one, else 0; only of such
//   items     its tensors
//   extents   i64 [length], or [length, axes] where those are several; only with axes
struct PackedValue {
  size_t place = 0;  // of the first
  std::vector<int> axes = {};
  bool optional = false;
  bool nested = false;  // an optional of a sequence
  size_t tensors() const { return 1 + (axes.empty() ? 0 : 1) + (nested ? 1 : 0); }
  bool operator==(const PackedValue&) const = default;
};

// What tensor number `number` of an interface has to do with such values, for people; empty:
// nothing.
std::string packed_remark(const std::vector<PackedValue>& values, size_t number);

}  // namespace burin

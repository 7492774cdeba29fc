// Cut: what threads share of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// How threads share a kernel. A call computes the points [first, last) of one parallel axis, where
// first and last are multiples of `grain` or the end of the axis; its loops run between these two
// symbols. It may have a part of a second axis alike. Calls for different points may run at the
// same time, each with a scratch of its own, and compute what one call for all points computes
// (select/threads/parallel.h).
struct CutAxis {
  int axis = 0;
  Dim extent;         // of the axis
  int64_t grain = 1;  // points of the axis in one chunk, the least that a thread is given
  Dim chunks() const { return ceildiv(extent, grain); }
  bool operator==(const CutAxis&) const = default;
};
struct Cut : CutAxis {
  int workers = 1;  // that may call at the same time
  std::optional<CutAxis> across = {};
  std::vector<CutAxis> axes() const {
    return across ? std::vector<CutAxis>{*this, *across} : std::vector<CutAxis>{*this};
  }
  Dim calls() const { return chunks() * (across ? across->chunks() : Dim(1)); }
  bool operator==(const Cut&) const = default;
};

// The bounds of the points that a call computes, as symbols in the loops of a kernel that is cut.
const Symbol& cut_first();
const Symbol& cut_last();

std::string to_string(const Cut& cut);  // "i1 in chunks of 16 of 197"

}  // namespace burin

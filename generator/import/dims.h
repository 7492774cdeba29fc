// The --dim flags: what the user says about a named dimension.
//
//   --dim batch=1              the size, once and for all
//   --dim seq=1..512           the range that the run may choose from
//   --dim count=..64           its upper end only
//   --dim batch=0..            its lower end only
//   --dim seq=1..512@128       and the size to optimise for
//   --dim pads_0=-8..8         what is dynamic may be negative; a dimension may not
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/index/index.h"

namespace burin {

struct DimBinding {
  std::string name;
  int64_t min = 1;  // inclusive; equal to max for a fixed size; kOpen: as it would be without
  int64_t max = kUnbounded;
  int64_t hint = 0;  // 0: none given
  bool of_any = false;  // of several models; whether it is this one's is not known
  bool operator==(const DimBinding&) const = default;

  static constexpr int64_t kOpen = std::numeric_limits<int64_t>::min();
};

// "name=N", "name=lo..hi", "name=lo..", "name=..hi" or one of the last three with "@hint". The last
// '=' counts, since names are free text. Numbers may be negative. Refuses as "symbol".
DimBinding parse_dim_binding(std::string_view text);

}  // namespace burin

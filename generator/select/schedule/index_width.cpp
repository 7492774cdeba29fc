#include "select/schedule/index_width.h"

#include <limits>

#include "kernel/index/index_magnitude.h"
#include "select/schedule/schedule_indices.h"

namespace burin {
namespace {

constexpr int64_t kMost = std::numeric_limits<int32_t>::max() / 8;

int64_t most_of(const Index& leaf) {
  // The bounds of a part of the axis are the axis's.
  if (leaf.kind() == IndexKind::symbol &&
      (leaf.as_symbol() == cut_first() || leaf.as_symbol() == cut_last()))
    return 0;
  return magnitude(leaf.range());
}

}  // namespace

int index_bits(const KernelSchedule& schedule, const std::vector<Value>& values) {
  bool fits = true;
  for_each_index(schedule, values,
                 [&](const Index& index) { fits = fits && largest_part(index, most_of) <= kMost; });
  return fits ? 32 : 64;
}

}  // namespace burin

#include "plan/packing/regret.h"

#include <algorithm>

namespace burin {

int64_t millionths_above(int64_t height, int64_t bound) {
  constexpr int64_t kMillion = 1000000;
  // So that the product stays within 64 bits.
  while (height > (int64_t{1} << 42)) {
    height >>= 1;
    bound >>= 1;
  }
  return bound > 0 ? (height - bound) * kMillion / bound : 0;
}

std::vector<int64_t> regret_of(const std::vector<int64_t>& heights,
                               const std::vector<int64_t>& bounds) {
  constexpr int64_t kTolerated = 20000;  // at points other than the first
  int64_t worst = 0;
  int64_t sum = 0;
  for (size_t k = 0; k < heights.size(); ++k) {
    const int64_t above = millionths_above(heights[k], bounds[k]);
    worst = std::max(worst, above);
    sum += above;
  }
  return {std::max(worst - kTolerated, int64_t{0}), millionths_above(heights[0], bounds[0]), worst,
          sum};
}

}  // namespace burin

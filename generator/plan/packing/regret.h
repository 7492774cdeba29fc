// Regret: how far heights are above their lower bounds at several points of the space of sizes.
// Orders and stackings are judged by it.
#pragma once

#include <cstdint>
#include <vector>

namespace burin {

int64_t millionths_above(int64_t height, int64_t bound);

// To be compared: the worst point beyond 2 %, then the first point (the hints), then the worst,
// then all together; in millionths. Both by point.
std::vector<int64_t> regret_of(const std::vector<int64_t>& heights,
                               const std::vector<int64_t>& bounds);

}  // namespace burin

// How far heights are above their lower bounds at several points of the space of sizes, as what
// orders and stackings are judged by.
#pragma once

#include <cstdint>
#include <vector>

namespace burin {

int64_t millionths_above(int64_t height, int64_t bound);

// To be compared: the worst point beyond 2 %, then the first point (the hints), then the worst,
// then all together; in millionths. Both by point.
std::vector<int64_t> excess_of(const std::vector<int64_t>& heights,
                               const std::vector<int64_t>& bounds);

}  // namespace burin

// Work-groups of a launch: their work-items, the points that these have, the memory that they
// share.
#pragma once

#include <array>
#include <cstdint>

#include "select/schedule/launch.h"

namespace burin {

// Work-items of a work-group along each dimension.
using WorkGroup = std::array<int64_t, 3>;
WorkGroup work_group_of(const Launch& launch);

// Whether the work-items of a group share its points: a tile of a product, a block of queries, the
// loops of a point.
bool shares_points(const Launch& launch);
// Points of the launch that a work-group has along each dimension: where its work-items share none,
// as many as these are.
WorkGroup points_of_group(const Launch& launch);

// Bytes of local memory, at most.
int64_t local_bytes_of(const Launch& launch);

}  // namespace burin

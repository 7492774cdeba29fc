// Launches: a schedule for a device that runs one function for every point of an index space
// (select/device/launches.h). Work-items run in any order; launches run one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "select/products/attention_schedule.h"
#include "select/schedule/loop_nodes.h"
#include "select/tiles/group_tile.h"

namespace burin {

// One dimension of an index space: axes of the kernel, flattened, the last one moving fastest.
struct Dimension {
  std::vector<int> axes;
  Dim extent = 1;
  int local = 1;  // points in a work-group
  bool operator==(const Dimension&) const = default;
};
// One factor of a product on a device: staged element by element, or read from panels.
struct StagedFactor {
  Expr element;
  ValueId panels = kNoValue;  // a packed constant, [batch][blocks][depth][lanes]
  bool along_depth = false;   // neighbours in memory are neighbours in the depth
  bool by_texels = false;     // it is read by texels: four neighbours in that direction at a time
};
// A let that work-groups compute in tiles (select/device/device_product.h): the sum of a * b over
// depth = step * tile.depth + within. Dimensions of its launch are n, m and batch.
struct Product {
  GroupTile tile;
  int let = 0;
  std::vector<int> batch;  // axes, the parts of a split depth among them
  int part = -1;           // that one; -1: the depth is not split
  int m = -1, n = -1;      // -1: one point
  int step = 0, within = 0;
  Dim depth = 1;     // of the points that are summed
  int partial = -1;  // of factors that are fp16: the let that sums a step, in fp16; else -1
  StagedFactor a, b;
};
// Attention in blocks of queries and keys (select/device/device_attention.h). Dimensions of its
// launch are queries and batch.
struct GroupAttention {
  int items = 1, queries = 1, keys = 1;  // of a work-group
  int depth = 4, elements = 4;           // floats of a row of Q or K, and of V, padded
  // Of a work-group: queries, keys, values; scores and weights.
  int64_t local_bytes() const {
    return 4 * (int64_t{queries} * depth + int64_t{keys} * (depth + 4 + elements) +
                int64_t{2} * queries * (keys + 1));
  }
  AttentionSchedule form;
};
// How the work-items of a group share what a launch does, where a group has a part of it.
struct Launch {
  std::vector<Dimension> dimensions;  // fastest first, at most three; none: one work-item
  std::vector<int> host_axes;         // sequential ones that the host counts, outermost first
  LoopNodes nodes;                    // what happens at one point
  int cooperative =
      0;            // work-items that share the loops of each point; 0: a work-item has the point
  int texels = -1;  // the axis of which a work-item has neighbouring points, side by side: four
                    // where it writes whole texels of images; -1: it has one of each
  int lanes = 4;    // that many
  int coarsening = 1;  // points of the first dimension that a work-item has one after the other
  int unroll = 0;      // rounds of innermost loops that are written out; 0: as the compiler likes
  std::optional<Product> product;           // a work-group has a tile of points
  std::optional<GroupAttention> attention;  // a work-group has a block of queries
};
// Launches that the host repeats for the points of a sequential axis, in order.
struct LaunchNode;
struct LaunchLoop {
  int axis = 0;
  Index begin = 0, end = 0;
  std::vector<LaunchNode> nodes;
};
struct LaunchNode {
  std::variant<Launch, LaunchLoop> node;
};
using LaunchNodes = std::vector<LaunchNode>;

}  // namespace burin

#include "select/device/work_groups.h"

namespace burin {

WorkGroup work_group_of(const Launch& launch) {
  WorkGroup out = {1, 1, 1};
  for (size_t d = 0; d < launch.dimensions.size(); ++d) out[d] = launch.dimensions[d].local;
  if (launch.product) return {launch.product->tile.items(), 1, 1};
  if (launch.attention) out[0] = launch.attention->items;
  if (launch.cooperative > 0) out[0] = launch.cooperative;
  return out;
}

bool shares_points(const Launch& launch) {
  return launch.product || launch.attention || launch.cooperative > 0;
}

WorkGroup points_of_group(const Launch& launch) {
  if (launch.product) return {launch.product->tile.columns, launch.product->tile.rows, 1};
  if (launch.attention) return {launch.attention->queries, 1, 1};
  return launch.cooperative > 0 ? WorkGroup{1, 1, 1} : work_group_of(launch);
}

int64_t local_bytes_of(const Launch& launch) {
  if (launch.product) return launch.product->tile.local_bytes();
  if (launch.attention) return launch.attention->local_bytes();
  return int64_t{launch.cooperative} * 8;
}

}  // namespace burin

#include "select/device/item_points.h"

#include <algorithm>

namespace burin {
namespace {

Dim points_along(const Launch& launch, int axis, const Kernel& kernel) {
  const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
  return axis == launch.texels ? ceildiv(extent, launch.lanes) : extent;
}

// The number of a verb; `usual` where it is not given.
int number(const Given& given, std::string_view what, int usual) {
  const std::vector<int64_t>* const numbers = given.numbers(what);
  return numbers == nullptr ? usual : static_cast<int>((*numbers)[0]);
}

// Returns the rows of its work-groups that were given; 0: none.
int share_points(Launch& launch, const Kernel& kernel, const Given& given,
                 const Hardware& hardware) {
  if (launch.attention) return 0;
  launch.unroll = number(given, "unroll", 0);
  if (!has_item_points(launch)) return 0;
  const int fastest = launch.dimensions[0].axes.back();
  const int64_t extent = at_hints(kernel.axes[static_cast<size_t>(fastest)].extent);
  if (const int lanes = number(given, "vector", 1); lanes > 1 && lanes <= extent) {
    launch.texels = fastest;
    launch.lanes = lanes;
  }
  fit_dimensions(launch, kernel);
  const int64_t points = at_hints(launch.dimensions[0].extent);
  if (const int points_each = number(given, "points", 1);
      points_each > 1 && points_each <= points) {
    launch.coarsening = points_each;
    fit_dimensions(launch, kernel);
  }
  const int rows = number(given, "group rows", 0);
  if (rows > 0 || launch.lanes > 1 || launch.coarsening > 1)
    share_work_groups(launch.dimensions, std::max(1, rows), hardware);
  return rows;
}

int share_points(LaunchNodes& nodes, const Kernel& kernel, const Given& given,
                 const Hardware& hardware) {
  int rows = 0;
  for (LaunchNode& node : nodes) {
    if (auto* loop = std::get_if<LaunchLoop>(&node.node)) {
      rows = std::max(rows, share_points(loop->nodes, kernel, given, hardware));
    } else {
      rows = std::max(rows, share_points(std::get<Launch>(node.node), kernel, given, hardware));
    }
  }
  return rows;
}

}  // namespace

bool has_item_points(const Launch& launch) {
  return launch.cooperative == 0 && !launch.product && !launch.attention &&
         !launch.dimensions.empty();
}

bool can_unroll(const Launch& launch) {
  if (launch.product) return true;
  return !launch.attention &&
         std::any_of(launch.nodes.begin(), launch.nodes.end(), [](const LoopNode& node) {
           return std::holds_alternative<ForLoop>(node.node);
         });
}

void fit_dimensions(Launch& launch, const Kernel& kernel) {
  for (size_t d = 0; d < launch.dimensions.size(); ++d) {
    Dimension& dimension = launch.dimensions[d];
    dimension.extent = 1;
    for (const int axis : dimension.axes) dimension.extent *= points_along(launch, axis, kernel);
    if (d == 0) dimension.extent = ceildiv(dimension.extent, launch.coarsening);
    while (dimension.local > 1 && dimension.local / 2 >= at_hints(dimension.extent))
      dimension.local /= 2;
  }
}

void share_work_groups(std::vector<Dimension>& dimensions, int rows, const Hardware& hardware) {
  const OpenClDevice& device = hardware.opencl;
  int room = device.work_group_size;
  const auto share = [&](size_t d, int64_t most) {
    Dimension& dimension = dimensions[d];
    most = std::min(most, device.work_item_sizes_max[d]);
    const int64_t extent = std::max<int64_t>(1, at_hints(dimension.extent));
    dimension.local = 1;
    while (dimension.local * 2 <= most && dimension.local < extent) dimension.local *= 2;
    room /= dimension.local;
  };
  const bool first = rows > 1 && dimensions.size() > 1;
  if (first) share(1, std::min(rows, room));
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (d != 1 || !first) share(d, room);
  }
}

void apply_given(KernelSchedule& schedule, const Given& given, const Hardware& hardware) {
  schedule.verbs = {{"work-group", {hardware.opencl.work_group_size}}};
  const int rows = share_points(schedule.launches, schedule.kernel, given, hardware);
  if (rows > 0) schedule.verbs.push_back({"group rows", {rows}});
}

}  // namespace burin

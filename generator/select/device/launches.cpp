#include "select/device/launches.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "select/device/cooperative_groups.h"
#include "select/device/item_points.h"
#include "select/device/launch_walk.h"

namespace burin {
namespace {

constexpr double kMostPoints = 1e15;

class Splitter {
 public:
  Splitter(const KernelSchedule& schedule, const Hardware& hardware)
      : kernel_(schedule.kernel), hardware_(hardware) {}

  // All loops of the kernel.
  LaunchNodes run_all(const LoopNodes& loops) {
    // An element that is written and read has an order of points that only one work-item keeps.
    if (reads_own_results(kernel_)) return alone(loops, {}, {}).nodes;
    return run(loops);
  }
  LaunchNodes run(const LoopNodes& nodes) { return best(nodes, {}, {}).nodes; }

 private:
  struct Planned {
    LaunchNodes nodes;
    double us = 0;
  };

  double points(int axis) const {
    return static_cast<double>(
        std::max<int64_t>(1, at_hints(kernel_.axes[static_cast<size_t>(axis)].extent)));
  }

  double work(const LoopNodes& nodes) const { return work_at_hints(nodes, kernel_).operations; }

  // One launch: a work-item per point of `items` runs `nodes`.
  Planned alone(LoopNodes nodes, const std::vector<int>& items,
                const std::vector<int>& steps) const {
    const double each = work(nodes);
    double all = each;
    for (const int axis : items) all = std::min(all * points(axis), kMostPoints);
    Launch launch;
    launch.dimensions = dimensions(items);
    launch.host_axes = steps;
    launch.nodes = std::move(nodes);
    return {{LaunchNode{std::move(launch)}}, time_of(each, all)};
  }

  // Of a launch whose work-items do `each` operations, all of them `all`.
  double time_of(double each, double all) const {
    const double lanes =
        static_cast<double>(hardware_.opencl.compute_units) * hardware_.opencl.wave_size;
    const double cycles = std::max(each * hardware_.opencl.operation_cycles, all / lanes);
    return hardware_.opencl.launch_us + cycles / hardware_.clock_mhz;
  }

  // One launch: a work-group per point of `items` shares the loops of `nodes`.
  std::optional<Planned> cooperative(const LoopNodes& nodes, const std::vector<int>& items,
                                     const std::vector<int>& steps) const {
    if (!may_be_shared(nodes, items, kernel_)) return std::nullopt;
    double longest = 0;
    for (const LoopNode& node : nodes) {
      if (const auto* loop = std::get_if<ForLoop>(&node.node))
        longest = std::max(longest, shared_points(*loop));
    }
    const OpenClDevice& device = hardware_.opencl;
    int size = std::min(device.wave_size, device.work_group_size);
    while (size * 2 <= device.work_group_size && size * 4 <= longest) size *= 2;
    if ((size & (size - 1)) != 0 || longest < size || size > device.work_item_sizes_max[0])
      return std::nullopt;
    double each = 0;
    for (const LoopNode& node : nodes) {
      const auto* loop = std::get_if<ForLoop>(&node.node);
      each += loop ? std::ceil(shared_points(*loop) / size) * work({node}) / shared_points(*loop)
                   : 1 + kOperationsPerJoin * std::log2(size) *
                             (std::holds_alternative<EndLet>(node.node) ? 1 : 0);
    }
    double all = each * size;
    for (const int axis : items) all = std::min(all * points(axis), kMostPoints);
    Launch launch;
    launch.dimensions = dimensions(items);
    if (launch.dimensions.empty()) launch.dimensions.push_back({});
    for (Dimension& dimension : launch.dimensions) dimension.local = 1;
    launch.host_axes = steps;
    launch.nodes = nodes;
    launch.cooperative = size;
    return Planned{{LaunchNode{std::move(launch)}}, time_of(each, all)};
  }

  // The points that a loop and those right inside it are shared by.
  double shared_points(const ForLoop& loop) const {
    double all = 1;
    for (const int axis : shared_axes(loop, kernel_)) all *= points(axis);
    return all;
  }

  Planned best(const LoopNodes& nodes, const std::vector<int>& items,
               const std::vector<int>& steps) const {
    if (nodes.size() == 1) {
      if (const auto* loop = std::get_if<ForLoop>(&nodes[0].node)) {
        const Axis& axis = kernel_.axes[static_cast<size_t>(loop->axis)];
        if (axis.kind == AxisKind::sequential) return best_of_steps(nodes, *loop, items, steps);
        if (loop->begin.is_constant(0) && loop->end == axis.extent) {
          std::vector<int> inside = items;
          inside.push_back(loop->axis);
          return best(loop->nodes, inside, steps);
        }
      }
      return alone(nodes, items, steps);
    }
    Planned together = alone(nodes, items, steps);
    if (std::optional<Planned> shared = cooperative(nodes, items, steps);
        shared && shared->us < together.us)
      together = std::move(*shared);
    const std::vector<LoopNodes> statements = statements_of(nodes);
    if (statements.size() < 2) return together;
    Planned apart = distribute(statements, items, steps);
    return apart.us < together.us ? apart : together;
  }

  // Every statement on its own; neighbours that gain nothing by that stay together.
  Planned distribute(const std::vector<LoopNodes>& statements, const std::vector<int>& items,
                     const std::vector<int>& steps) const {
    Planned out;
    LoopNodes held;
    const auto flush = [&] {
      if (!held.empty()) take(out, alone(std::exchange(held, {}), items, steps));
    };
    for (const LoopNodes& statement : statements) {
      Planned one = best(statement, items, steps);
      const auto* launch = std::get_if<Launch>(&one.nodes[0].node);
      if (one.nodes.size() == 1 && launch && launch->cooperative == 0 &&
          launch->dimensions == dimensions(items)) {
        held.insert(held.end(), statement.begin(), statement.end());
        continue;
      }
      flush();
      take(out, std::move(one));
    }
    flush();
    return out;
  }

  static void take(Planned& out, Planned more) {
    out.us += more.us;
    out.nodes.insert(out.nodes.end(), std::make_move_iterator(more.nodes.begin()),
                     std::make_move_iterator(more.nodes.end()));
  }

  // A sequential loop: counted by the host, by every work-item, or by the only one.
  Planned best_of_steps(const LoopNodes& nodes, const ForLoop& loop, const std::vector<int>& items,
                        const std::vector<int>& steps) const {
    Planned chosen = alone(nodes, items, steps);
    const std::vector<int> around = axes_around(nodes, kernel_);
    if (!around.empty()) {
      std::vector<int> shared = items;
      shared.insert(shared.end(), around.begin(), around.end());
      Planned inside = alone(without_loops(nodes, around), shared, steps);
      if (inside.us < chosen.us) chosen = std::move(inside);
    }
    std::vector<int> counted = steps;
    counted.push_back(loop.axis);
    Planned body = best(loop.nodes, items, counted);
    const double us = body.us * points(loop.axis);
    if (us < chosen.us) {
      chosen.nodes = {
          LaunchNode{LaunchLoop{loop.axis, loop.begin, loop.end, std::move(body.nodes)}}};
      chosen.us = us;
    }
    return chosen;
  }

  // The axis that moves fastest in memory comes first; axes that are shorter than a wave are
  // joined, and so are those beyond the third dimension.
  std::vector<Dimension> dimensions(const std::vector<int>& items) const {
    std::vector<Dimension> out;
    size_t left = items.size();
    while (left > 0) {
      Dimension one;
      double size = 1;
      const bool last = out.size() == 2;
      const double enough = out.empty() ? hardware_.opencl.wave_size : 1;
      do {
        const int axis = items[--left];
        one.axes.insert(one.axes.begin(), axis);
        one.extent = kernel_.axes[static_cast<size_t>(axis)].extent * one.extent;
        size *= points(axis);
      } while (left > 0 && (last || size < enough));
      out.push_back(std::move(one));
    }
    share_work_groups(out, 1, hardware_);
    return out;
  }

  const Kernel& kernel_;
  const Hardware& hardware_;
};

}  // namespace

// Lets that are read in another launch, and all that had scratch, get scratch over all their axes.
void place_lets(KernelSchedule& schedule) {
  const std::vector<const Launch*> launches = launches_of(schedule.launches);
  if (launches.size() == 1 && launches[0]->dimensions.empty()) return;
  const Kernel& kernel = schedule.kernel;
  std::vector<std::set<size_t>> touched(kernel.lets.size());  // launches that make or read a let
  for (size_t i = 0; i < launches.size(); ++i) {
    for_each_statement(launches[i]->nodes, [&](const LoopNode& node) {
      if (const auto made = let_of(node)) touched[static_cast<size_t>(*made)].insert(i);
      for_each_expr(node, kernel, [&](const Expr& expr) {
        visit(expr, [&](const ExprNode& one) {
          if (one.kind == ExprKind::let) touched[static_cast<size_t>(one.id)].insert(i);
        });
      });
    });
  }
  Dim scratch = 0;
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    LetPlace& place = schedule.places[i];
    if (place.scalar && touched[i].size() < 2) continue;
    place.scalar = false;
    place.axes.clear();
    place.offset.clear();
    Dim elements = place.sequential_rows ? place.sequential_rows : 1;
    for (const int axis : kernel.lets[i].over) {
      if (kernel.axes[static_cast<size_t>(axis)].kind == AxisKind::sequential) continue;
      place.axes.push_back(axis);
      elements *= kernel.axes[static_cast<size_t>(axis)].extent;
    }
    for (const Type type : kernel.lets[i].accumulator) {
      place.offset.push_back(scratch);
      scratch += ceildiv(elements * (size_bits(type) / 8), 64) * 64;
    }
  }
  schedule.scratch_bytes = scratch;
}

LaunchNodes split_among_items(const KernelSchedule& schedule, const LoopNodes& nodes,
                              const Hardware& hardware) {
  return Splitter(schedule, hardware).run(nodes);
}

void plan_launches(LoopPlan& schedule, const Hardware& hardware) {
  schedule.launches = Splitter(schedule, hardware).run_all(schedule.loops);
  place_lets(schedule);
  const size_t count = launches_of(schedule.launches).size();
  schedule.reason = count == 1 ? "one launch" : std::to_string(count) + " launches";
}

}  // namespace burin

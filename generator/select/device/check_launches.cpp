// The checker of launches, from what they mean: work-items of one launch run at the same time, so
// none may need or overwrite what another makes; a launch finds what earlier ones have stored.
#include <algorithm>
#include <map>

#include "kernel/expr/expr_axes.h"
#include "select/device/launch_walk.h"
#include "select/device/launches.h"

namespace burin {
namespace {

class LaunchChecker {
 public:
  explicit LaunchChecker(const KernelSchedule& schedule)
      : schedule_(schedule), kernel_(schedule.kernel) {}

  std::string run() {
    const std::vector<const Launch*> launches = launches_of(schedule_.launches);
    for (size_t i = 0; i < launches.size(); ++i) {
      for_each_statement(launches[i]->nodes, [&](const LoopNode& node) {
        if (std::holds_alternative<BeginLet>(node.node) ||
            std::holds_alternative<Define>(node.node))
          made_[*let_of(node)].push_back(i);
        if (const auto* store = std::get_if<Store>(&node.node)) ++stores_[store->write];
      });
    }
    for (size_t i = 0; i < kernel_.lets.size(); ++i) {
      if (made_[static_cast<int>(i)].size() != 1) fault("a let is not made exactly once");
    }
    for (size_t i = 0; i < kernel_.writes.size(); ++i) {
      if (stores_[static_cast<int>(i)] != 1) fault("a write is not made exactly once");
    }
    for (size_t i = 0; i < launches.size() && fault_.empty(); ++i) check(*launches[i], i);
    return fault_;
  }

 private:
  void fault(const char* what) {
    if (fault_.empty()) fault_ = what;
  }

  void check(const Launch& launch, size_t number) {
    std::vector<int> items;
    for (const Dimension& dimension : launch.dimensions) {
      Dim extent = 1;
      for (const int axis : dimension.axes) {
        items.push_back(axis);
        const Dim& all = kernel_.axes[static_cast<size_t>(axis)].extent;
        extent *= axis == launch.texels ? ceildiv(all, launch.lanes) : all;
        if (kernel_.axes[static_cast<size_t>(axis)].kind == AxisKind::sequential)
          fault("work-items share a sequential axis");
      }
      if (&dimension == &launch.dimensions[0]) extent = ceildiv(extent, launch.coarsening);
      if (!(extent == dimension.extent)) fault("a dimension has another extent than its axes");
    }
    const bool of_items = launch.cooperative == 0 && !launch.product && !launch.attention;
    if (launch.coarsening < 1 || launch.lanes < 1 || (launch.coarsening > 1 && !of_items))
      fault("work-items that share a point have several");
    if (of_items && launch.texels >= 0 && !contains(items, launch.texels))
      fault("a work-item has neighbours of an axis that it does not have");
    if (launch.dimensions.size() > 3) fault("an index space has more than three dimensions");
    if (!items.empty() && reads_own_results(kernel_)) fault("what the kernel writes is read");
    for_each_statement(launch.nodes, [&](const LoopNode& node) {
      // Each point of the index space has a result of its own.
      const auto* store = std::get_if<Store>(&node.node);
      const std::optional<int> let = let_of(node);
      for (const int axis : items) {
        if (store && !contains(kernel_.writes[static_cast<size_t>(store->write)].over, axis))
          fault("several work-items write one element");
        if (let && !contains(kernel_.lets[static_cast<size_t>(*let)].over, axis) &&
            !schedule_.places[static_cast<size_t>(*let)].scalar)
          fault("several work-items make one element of a let");
      }
      for_each_expr(node, kernel_, [&](const Expr& expr) {
        visit(expr, [&](const ExprNode& one) {
          if (one.kind == ExprKind::let)
            check_use(one, number, items, launch.host_axes, launch.cooperative > 0);
        });
      });
    });
  }

  void check_use(const ExprNode& use, size_t number, const std::vector<int>& items,
                 const std::vector<int>& steps, bool cooperative) {
    const Let& let = kernel_.lets[static_cast<size_t>(use.id)];
    const LetPlace& place = schedule_.places[static_cast<size_t>(use.id)];
    const size_t made = made_[use.id][0];
    if (place.scalar && made != number) fault("a variable is read in another launch");
    const bool of_point = std::all_of(let.over.begin(), let.over.end(),
                                      [&](int axis) { return contains(items, axis); });
    if (cooperative && made == number && !of_point)
      fault("the work-items of a group read what others of it make");
    bool before = false;   // what an earlier point of a sequential axis left
    bool settled = false;  // ... in an earlier launch
    for (size_t k = 0; k < let.over.size(); ++k) {
      const Axis& axis = kernel_.axes[static_cast<size_t>(let.over[k])];
      const bool same = use.at[k].kind() == IndexKind::axis && use.at[k].axis_id() == let.over[k];
      if (axis.kind == AxisKind::sequential && !same) {
        before = true;
        settled = settled || contains(steps, let.over[k]);
      }
      if (!place.scalar && axis.kind != AxisKind::sequential &&
          !contains(place.axes, let.over[k]) && !items.empty())
        fault("work-items share the scratch of a let");
    }
    for (size_t k = 0; k < let.over.size() && made == number && !settled; ++k) {
      const bool same = use.at[k].kind() == IndexKind::axis && use.at[k].axis_id() == let.over[k];
      if (!same && contains(items, let.over[k])) fault("a work-item reads what another one makes");
    }
    if (made > number && !before) fault("a let is read before the launch that makes it");
    if (before && !place.sequential_rows) fault("an earlier step is read and not kept");
  }

  const KernelSchedule& schedule_;
  const Kernel& kernel_;
  std::map<int, std::vector<size_t>> made_;  // let: launches that make it
  std::map<int, int> stores_;
  std::string fault_;
};

}  // namespace

std::string check_launches(const KernelSchedule& schedule) { return LaunchChecker(schedule).run(); }

}  // namespace burin

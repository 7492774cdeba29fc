#include "fuse/cascade/step_sums.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/access/products.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

bool is_plain_sum(const Kernel& kernel) {
  return kernel.lets.size() == 1 && is_sum_of_products(kernel.lets[0]) &&
         kernel.writes.size() == 1 && kernel.writes[0].when.empty() &&
         kernel.writes[0].how == How::store && !is_sequential(kernel);
}

// The producer's axes at a point of its result; nullopt: the result is not indexed by them alone.
std::optional<std::vector<Index>> axes_at_point(const Kernel& producer,
                                                const std::vector<Index>& point) {
  const Write& write = producer.writes[0];
  std::vector<std::optional<Index>> to(producer.axes.size());
  for (size_t d = 0; d < write.at.size(); ++d) {
    const Index& made = write.at[d];
    if (made.kind() == IndexKind::axis) {
      if (to[burin::at(made.axis_id())]) return std::nullopt;
      to[burin::at(made.axis_id())] = point[d];
    } else if (!made.is_constant() || made != point[d]) {
      return std::nullopt;
    }
  }
  std::vector<Index> out;
  for (size_t axis = 0; axis < to.size(); ++axis) {
    const bool used =
        std::find(write.over.begin(), write.over.end(), static_cast<int>(axis)) != write.over.end();
    if (used && !to[axis]) return std::nullopt;
    out.push_back(to[axis].value_or(Index(0)));
  }
  return out;
}

// Whether every load of the value stands where each of its points is met once.
bool stands_outside_of_sums(const Kernel& reader, ValueId value) {
  return std::none_of(reader.lets.begin(), reader.lets.end(), [&](const Let& let) {
    bool loads = false;
    for (const Expr& body : let.body) {
      visit(body, [&](const ExprNode& node) {
        loads = loads || (node.kind == ExprKind::load && node.id == value);
      });
    }
    return loads && !let.reduced.empty();
  });
}

struct JointLaunches {
  const Kernel& producer;
  Kernel out;
  std::vector<Index> reduced;  // the producer's axes that are, as axes of `out`
};

// The producer's value at a point, over a let that is added for it.
Expr value_at_step(JointLaunches& how, std::vector<Index> axes) {
  const Let& sum = how.producer.lets[0];
  std::vector<int> over;
  for (const Index& index : axes) {
    for (const int axis : axes_of(Expr::index(index))) {
      if (std::find(over.begin(), over.end(), axis) == over.end()) over.push_back(axis);
    }
  }
  std::sort(over.begin(), over.end());
  Let let = sum;
  let.over = over;
  let.reduced.clear();
  for (size_t k = 0; k < sum.reduced.size(); ++k) {
    axes[burin::at(sum.reduced[k])] = how.reduced[k];
    let.reduced.push_back(how.reduced[k].axis_id());
  }
  for (Expr& body : let.body) body = substitute_axes(body, axes);
  std::vector<Index> place;
  for (const int axis : over)
    place.push_back(Index::axis(axis, how.out.axes[burin::at(axis)].extent));
  const int number = static_cast<int>(how.out.lets.size());
  how.out.lets.push_back(std::move(let));
  const Expr made = Expr::let(number, sum.accumulator[0], std::move(place));
  return rewrite(
      how.producer.writes[0].value,
      [&](const Expr& one) -> Expr { return one.kind() == ExprKind::let ? made : one; },
      [&](const Index& leaf) -> Index {
        return leaf.kind() == IndexKind::axis ? axes[burin::at(leaf.axis_id())] : leaf;
      });
}

// Elements of all points together.
Dim elements_read(const Kernel& reader, const std::vector<std::vector<Index>>& points) {
  Dim all = 0;
  for (const std::vector<Index>& point : points) {
    std::vector<int> axes;
    for (const Index& index : point) {
      for (const int axis : axes_of(Expr::index(index))) axes.push_back(axis);
    }
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    Dim one = 1;
    for (const int axis : axes) one *= reader.axes[burin::at(axis)].extent;
    all += one;
  }
  return all;
}

}  // namespace

std::optional<Kernel> fused_step_sums(const Kernel& producer, const Kernel& reader) {
  if (!is_plain_sum(producer) || !is_sequential(reader)) return std::nullopt;
  const ValueId result = producer.writes[0].to;
  const std::vector<std::vector<Index>> points = load_points(reader, result);
  Dim made = 1;
  for (const int axis : producer.writes[0].over) made *= producer.axes[burin::at(axis)].extent;
  if (points.empty() || !stands_outside_of_sums(reader, result) ||
      !proven_le(elements_read(reader, points), made))
    return std::nullopt;
  JointLaunches how{producer, reader, {}};
  for (const int axis : producer.lets[0].reduced) {
    const Axis& own = producer.axes[burin::at(axis)];
    how.reduced.push_back(Index::axis(static_cast<int>(how.out.axes.size()), own.extent));
    how.out.axes.push_back(own);
  }
  // The new lets stand in front: first they are numbered from 0, behind each other.
  how.out.lets.clear();
  std::vector<Expr> values;
  for (const std::vector<Index>& point : points) {
    if (std::any_of(point.begin(), point.end(), [](const Index& one) { return one.has_data(); }))
      return std::nullopt;
    std::optional<std::vector<Index>> axes = axes_at_point(producer, point);
    if (!axes) return std::nullopt;
    values.push_back(value_at_step(how, std::move(*axes)));
  }
  const std::vector<Let> sums = std::move(how.out.lets);
  const auto shift = static_cast<int>(sums.size());
  how.out.lets = reader.lets;
  rewrite_exprs(how.out, [&](const Expr& expr) -> Expr {
    if (expr.kind() == ExprKind::let)
      return Expr::let(expr->id + shift, expr.type(), expr->at, expr->component);
    if (expr.kind() != ExprKind::load || expr->id != result) return expr;
    const auto found = std::find(points.begin(), points.end(), expr->at);
    return values[static_cast<size_t>(found - points.begin())];
  });
  how.out.lets.insert(how.out.lets.begin(), sums.begin(), sums.end());
  return std::move(how.out);
}

void fuse_step_sums(BlockSteps& block, int at) {
  const Kernel& reader = *block.kernel(at);
  for (const ValueId id : reads_of(reader)) {
    const int maker = block.only_maker(id);
    if (maker < 0 || maker == at) continue;
    std::optional<Kernel> both = fused_step_sums(*block.kernel(maker), reader);
    if (!both) continue;
    merge_origins(*both, *block.kernel(maker), true);
    block.replace(at, std::move(*both));
    block.erase(maker);
    return;
  }
}

}  // namespace burin

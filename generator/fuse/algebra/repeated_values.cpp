#include "fuse/algebra/repeated_values.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/let_uses.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

// A part that takes less is read as fast as it is computed.
constexpr int64_t kLeastOperations = 3;
// Points of the axis for each of the dimension.
constexpr int64_t kLeastRepeats = 2;

// How a part depends on an axis: through `through` alone, at a dimension of so many points.
struct Through {
  Index through;
  Dim points;
};

// A map, whose lets name what it computes several times.
bool is_plain_map(const Kernel& kernel) {
  const auto plain = [](const Let& let) {
    return let.op == Combiner::none && let.body.size() == 1;
  };
  const auto parallel = [](const Axis& axis) { return axis.kind == AxisKind::parallel; };
  return kernel.writes.size() == 1 && std::all_of(kernel.lets.begin(), kernel.lets.end(), plain) &&
         std::all_of(kernel.axes.begin(), kernel.axes.end(), parallel);
}

// The kernel with the lets that its write needs, and no others.
void drop_idle_lets(Kernel& kernel) {
  std::set<int> needed = lets_in(kernel.writes[0].value);
  for (size_t k = kernel.lets.size(); k-- > 0;) {
    if (!needed.contains(static_cast<int>(k))) continue;
    needed.merge(lets_in(kernel.lets[k].body[0]));
  }
  std::vector<int> number(kernel.lets.size(), -1);
  std::vector<Let> kept;
  for (const int one : needed) {
    number[at(one)] = static_cast<int>(kept.size());
    kept.push_back(kernel.lets[at(one)]);
  }
  const auto renumbered = [&](const Expr& expr) {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::let) return one;
          return Expr::let(number[at(one->id)], one.type(), one->at, one->component);
        },
        [](const Index& leaf) { return leaf; });
  };
  for (Let& let : kept) let.body[0] = renumbered(let.body[0]);
  kernel.writes[0].value = renumbered(kernel.writes[0].value);
  kernel.lets = std::move(kept);
}

class RepeatedValues {
 public:
  explicit RepeatedValues(KernelGraph graph) : graph_(std::move(graph)) {}

  KernelGraph run() {
    graph_.steps = with_steps_before(graph_.steps, [&](const Kernel& kernel, Steps& before) {
      return without_repeats(kernel, before);
    });
    return std::move(graph_);
  }

 private:
  // The map with its parts made before, which may have such parts themselves.
  Kernel without_repeats(const Kernel& given, Steps& before) {
    Kernel kernel = given;
    if (!is_plain_map(kernel) || !reads_floats(kernel)) return kernel;
    for (const int axis : kernel.writes[0].over) {
      if (!reads_fewer(kernel, axis)) continue;
      while (const std::optional<Expr> part = part_of(kernel, kernel.writes[0].value, axis))
        before.emplace_back(without_repeats(taken_out(kernel, *part, axis), before));
    }
    return kernel;
  }
  // Whether a dimension with so few points is read through an index along the axis: what all parts
  // begin with, seen without looking for any.
  bool reads_fewer(const Kernel& kernel, int axis) const {
    const Dim& extent = kernel.axes[at(axis)].extent;
    const Index plain = Index::axis(axis, extent);
    bool found = false;
    visit(kernel.writes[0].value, [&](const ExprNode& node) {
      if (node.kind != ExprKind::load || found) return;
      const Value& value = graph_.values[at(node.id)];
      for (size_t d = 0; d < node.at.size() && value.kind != ValueKind::constant; ++d)
        found = found || (node.at[d].uses_axis(axis) && !(node.at[d] == plain) &&
                          at_hints(value.shape[d]) * kLeastRepeats <= at_hints(extent));
    });
    return found;
  }
  // Integers are what sizes are made of.
  static bool reads_floats(const Kernel& kernel) {
    const Type type = kernel.writes[0].value.type();
    return type == Type::f32 || type == Type::f64;
  }

  // The largest part of an expression that repeats along an axis.
  std::optional<Expr> part_of(const Kernel& kernel, const Expr& expr, int axis) const {
    if (!contains(axes_of(expr), axis)) return std::nullopt;
    if (repeats(kernel, expr, axis)) return expr;
    for (const Expr& operand : expr->operands) {
      if (const std::optional<Expr> part = part_of(kernel, operand, axis)) return part;
    }
    return std::nullopt;
  }
  bool repeats(const Kernel& kernel, const Expr& expr, int axis) const {
    if (expr.type() != kernel.writes[0].value.type() || count_operations(expr) < kLeastOperations ||
        axes_of(expr).size() < 2)
      return false;
    const std::optional<Through> one = through(expr, axis);
    const std::vector<int> used = axes_of(expr);
    bool has_axes = true;
    for (const int let : lets_in(expr)) {
      for (const int over : kernel.lets[at(let)].over)
        has_axes = has_axes && over != axis && contains(used, over);
      has_axes = has_axes && lets_in(kernel.lets[at(let)].body[0]).empty();
    }
    return one && has_axes &&
           at_hints(one->points) * kLeastRepeats <= at_hints(kernel.axes[at(axis)].extent);
  }

  std::optional<Through> through(const Expr& expr, int axis) const {
    std::optional<Through> out;
    bool alone = true;
    visit(expr, [&](const ExprNode& node) {
      alone = alone && node.cases.empty();
      if (node.kind == ExprKind::let) {
        for (const Index& index : node.at) alone = alone && !index.uses_axis(axis);
      }
      if (node.kind == ExprKind::index) alone = alone && !node.index.uses_axis(axis);
      if (node.kind != ExprKind::load) return;
      const Value& value = graph_.values[at(node.id)];
      for (size_t d = 0; d < node.at.size(); ++d) {
        alone = alone && !node.at[d].has_data();
        if (!node.at[d].uses_axis(axis)) continue;
        const Through one{node.at[d], value.shape[d]};
        std::vector<int> axes;
        one.through.collect_axes(axes);
        alone = alone && axes.size() == 1 && value.kind != ValueKind::constant &&
                (!out || (out->through == one.through && out->points == one.points));
        out = one;
      }
    });
    return alone ? out : std::nullopt;
  }

  // The kernel of a part, which `kernel` reads then, wherever it has it.
  Kernel taken_out(Kernel& kernel, const Expr& part, int axis) {
    const Through how = *through(part, axis);
    Kernel out;
    out.name = kernel.name + "_rows";
    out.origins = kernel.origins;
    Value rows;
    rows.name = graph_.values[at(kernel.writes[0].to)].name + "_rows";
    rows.type = part.type();
    std::vector<Index> renamed(kernel.axes.size(), Index(0));
    std::vector<int> used = axes_of(part);
    for (const int one : used) {
      const Dim& extent = one == axis ? how.points : kernel.axes[at(one)].extent;
      const int own = static_cast<int>(out.axes.size());
      out.axes.push_back({extent, AxisKind::parallel, kernel.axes[at(one)].name});
      renamed[at(one)] = Index::axis(own, extent);
      rows.shape.push_back(extent);
    }
    graph_.values.push_back(std::move(rows));
    const auto id = static_cast<ValueId>(graph_.values.size()) - 1;
    // The index first, then the other axes: what is in its place moves with none of them.
    const int row = static_cast<int>(kernel.axes.size());
    std::vector<Index> own = renamed;
    own.push_back(renamed[at(axis)]);
    const Expr at_row =
        substitute_axes(with_index(part, how.through, Index::axis(row, how.points)), own);
    out.lets = kernel.lets;
    Write write;
    for (size_t k = 0; k < out.axes.size(); ++k) {
      write.over.push_back(static_cast<int>(k));
      write.at.push_back(Index::axis(static_cast<int>(k), out.axes[k].extent));
    }
    write.to = id;
    write.value = at_row;
    out.writes = {write};
    drop_idle_lets(out);
    for (Let& let : out.lets) {
      let.body[0] = substitute_axes(let.body[0], renamed);
      for (int& over : let.over)
        over = static_cast<int>(std::find(used.begin(), used.end(), over) - used.begin());
    }
    // Parts that are the same but for the index read the same tensor.
    const auto shape_of = [&](const Expr& expr) -> std::optional<Expr> {
      const std::optional<Through> own = through(expr, axis);
      if (!own || !(own->points == how.points)) return std::nullopt;
      return with_index(expr, own->through, how.through);
    };
    Expr& value = kernel.writes[0].value;
    value = replaced(value, [&](const Expr& expr) -> std::optional<Expr> {
      if (expr.type() != part.type() || count_operations(expr) != count_operations(part) ||
          axes_of(expr) != used)
        return std::nullopt;
      const std::optional<Expr> same = shape_of(expr);
      if (!same || !(*same == part)) return std::nullopt;
      std::vector<Index> place;
      for (const int one : used)
        place.push_back(one == axis ? through(expr, axis)->through
                                    : Index::axis(one, kernel.axes[at(one)].extent));
      return Expr::load(id, part.type(), std::move(place));
    });
    drop_idle_lets(kernel);
    return out;
  }
  static Expr with_index(const Expr& expr, const Index& from, const Index& to) {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::load) return one;
          std::vector<Index> place = one->at;
          std::replace(place.begin(), place.end(), from, to);
          return Expr::load(one->id, one->storage, std::move(place));
        },
        [](const Index& leaf) { return leaf; });
  }
  // Outermost first.
  static Expr replaced(const Expr& expr,
                       const std::function<std::optional<Expr>(const Expr&)>& by) {
    if (const std::optional<Expr> other = by(expr)) return *other;
    std::vector<Expr> operands;
    for (const Expr& operand : expr->operands) operands.push_back(replaced(operand, by));
    if (expr.kind() == ExprKind::unary) return Expr::unary(expr->unary(), operands[0]);
    if (expr.kind() == ExprKind::binary)
      return Expr::binary(expr->binary(), operands[0], operands[1]);
    if (expr.kind() == ExprKind::select) return Expr::select(operands[0], operands[1], operands[2]);
    if (expr.kind() == ExprKind::fused) return Expr::fused(operands[0], operands[1], operands[2]);
    if (expr.kind() == ExprKind::cast) return Expr::cast(expr->storage, operands[0], expr->mode);
    return expr;
  }

  KernelGraph graph_;
};

}  // namespace

KernelGraph with_values_once(KernelGraph graph) { return RepeatedValues(std::move(graph)).run(); }

}  // namespace burin

#include "select/rows/outer_axis.h"

#include <algorithm>
#include <set>

#include "fuse/access/products.h"
#include "fuse/attention/attention_form.h"
#include "fuse/cascade/outer_axis_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_node.h"
#include "kernel/layout.h"
#include "select/axes/inductions.h"
#include "select/axes/invariant_motion.h"
#include "select/axes/merge_axes.h"
#include "select/axes/working_set.h"
#include "select/rows/row_blocks.h"

namespace burin {
namespace {

// Points of a block: loops over fewer are not worth starting, more keep nothing nearer.
constexpr int64_t kLeastPoints = 64, kMostPoints = 512;
// A row of fewer elements is written out by compilers, point by point.
constexpr int64_t kLeastRow = 4;

int64_t size_of(const Kernel& kernel, int axis) {
  return std::max<int64_t>(1, at_hints(kernel.axes[static_cast<size_t>(axis)].extent));
}

Dim terms_of(const Let& let, const Kernel& kernel) {
  Dim terms = 1;
  for (const int axis : let.reduced) terms *= kernel.axes[static_cast<size_t>(axis)].extent;
  return terms;
}

// Reductions to one value each of what is no product of two factors, lets that are read where they
// are made, and nothing that combines with what was there.
bool has_plain_rows(const Kernel& kernel, const std::vector<Value>& values) {
  bool reduces = false;
  for (const Let& let : kernel.lets) {
    if (let.body.size() != 1 || is_contraction(let, values)) return false;
    reduces = reduces || !proven_lt(terms_of(let, kernel), kLeastRow);
  }
  return reduces && reads_lets_in_place(kernel) &&
         std::all_of(kernel.writes.begin(), kernel.writes.end(),
                     [](const Write& write) { return write.how == How::store; }) &&
         !is_sequential(kernel);
}

Index address_of(const Write& write, const std::vector<Value>& values) {
  const Value& value = values[static_cast<size_t>(write.to)];
  return address(value.layout, value.shape, write.at);
}

// The outer axis that rows can be vectorised along; -1: there is none.
int axis_of_points(const Kernel& kernel, const std::vector<Value>& values) {
  const Index at = address_of(kernel.writes[0], values);
  for (const int axis : common_axes(kernel)) {
    if (at.uses_axis(axis) && step_along(at, axis).is_constant(1) &&
        reads_along_outer_axis(kernel, axis, values))
      return axis;
  }
  return -1;
}

// What the same reductions give at all points (how many elements a mask leaves of a row, where rows
// are averaged) is one more sum at each of them, if that is no longer than the others: then the
// kernel with every let at each point. nullopt: there is no axis of points so, either.
std::optional<Kernel> with_common_points(const Kernel& kernel, const std::vector<Value>& values) {
  if (axis_of_points(kernel, values) >= 0) return kernel;
  for (const int axis : kernel.writes[0].over) {
    Dim least = kUnbounded, most = 0;  // terms: of reductions at points, of the others
    bool over_points = true;
    for (const Let& let : kernel.lets) {
      over_points = over_points && std::is_sorted(let.over.begin(), let.over.end()) &&
                    !contains(let.reduced, axis);
      if (contains(let.over, axis)) {
        if (let.op != Combiner::none) least = min(least, terms_of(let, kernel));
      } else {
        most = max(most, terms_of(let, kernel));
      }
    }
    if (!over_points || least.is_constant(kUnbounded) || !proven_le(most, least)) continue;
    Kernel all = with_lets_at_points(kernel, axis);
    if (axis_of_points(all, values) == axis) return all;
  }
  return std::nullopt;
}

bool kernel_counts_along(const Kernel& kernel, int axis, const std::vector<Value>& values) {
  return std::any_of(kernel.lets.begin(), kernel.lets.end(),
                     [&](const Let& let) { return counts_along(let.body[0], axis, values); }) ||
         std::any_of(kernel.writes.begin(), kernel.writes.end(), [&](const Write& write) {
           return counts_along(write.value, axis, values) || divides_along(write.when, axis) ||
                  divides_along(address_of(write, values), axis);
         });
}

// Rows and columns of an image as one axis of points, where memory runs on from one to the next.
Kernel with_points_merged(Kernel kernel, const std::vector<Value>& values) {
  for (bool merged = true; merged;) {
    merged = false;
    const int axis = axis_of_points(kernel, values);
    for (const int outer : common_axes(kernel)) {
      if (outer >= axis || merged) continue;
      std::optional<Kernel> next = merge_pair(kernel, outer, axis, values);
      if (!next || axis_of_points(*next, values) < 0) continue;
      kernel = std::move(*next);
      merged = true;
    }
  }
  return kernel;
}

// Bytes that a point brings near: its rows in tensors, and what lets keep of it.
int64_t bytes_of_point(const Kernel& kernel, const std::vector<int>& common,
                       const std::vector<Value>& values) {
  int64_t bytes = 0;
  const auto add = [&](const std::vector<int>& axes, int64_t element) {
    int64_t elements = 1;
    for (const int axis : axes) {
      if (!contains(common, axis)) elements = saturating_mul(elements, size_of(kernel, axis));
    }
    bytes = saturating_add(bytes, saturating_mul(elements, element));
  };
  std::set<ValueId> seen;
  const auto on_load = [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || !seen.insert(node.id).second) return;
    const Type type = values[static_cast<size_t>(node.id)].type;
    add(axes_of(Expr::load(node.id, type, node.at)), std::max(1, size_bits(type) / 8));
  };
  for (const Let& let : kernel.lets) {
    visit(let.body[0], on_load);
    add(let.over, size_bits(let.accumulator[0]) / 8);
  }
  for (const Write& write : kernel.writes) visit(write.value, on_load);
  return std::max<int64_t>(1, bytes);
}

// 0: one block has all.
int64_t points_of_block(const Kernel& kernel, int axis, const std::vector<int>& common,
                        const std::vector<Value>& values, const Hardware& hardware) {
  int64_t points = working_set_bytes(hardware.memory) / bytes_of_point(kernel, common, values);
  // Threads share blocks where there is nothing else to share.
  if (hardware.threads_max > 1) {
    int64_t all = 1;
    for (const int one : common) all = saturating_mul(all, size_of(kernel, one));
    points = std::min<int64_t>(points, all / (2 * hardware.threads_max));
  }
  points = std::clamp(points / kLeastPoints * kLeastPoints, kLeastPoints, kMostPoints);
  return proven_le(kernel.axes[static_cast<size_t>(axis)].extent, points) ? 0 : points;
}

}  // namespace

std::optional<LoopPlan> schedule_outer_axis(const Kernel& given, const std::vector<Value>& values,
                                            const Hardware& hardware, const Given& verbs) {
  if (!verbs.may("outer") || given.writes.empty() || !has_plain_rows(given, values))
    return std::nullopt;
  const std::optional<Kernel> at_points = with_common_points(given, values);
  if (!at_points) return std::nullopt;
  Kernel kernel = with_points_merged(*at_points, values);
  OuterAxis rows;
  rows.axis = axis_of_points(kernel, values);
  if (size_of(kernel, rows.axis) < std::max(4, hardware.vector.lanes(4) / 2) ||
      kernel_counts_along(kernel, rows.axis, values))
    return std::nullopt;
  kernel = with_functions_once(with_row_invariants_moved(kernel),
                               working_set_bytes(hardware.memory) / kLeastPoints);
  rows.points = points_of_block(kernel, rows.axis, common_axes(kernel), values, hardware);
  if (const std::vector<int64_t>* const numbers = verbs.numbers("outer");
      numbers != nullptr && (*numbers)[0] == rows.axis) {
    const Dim& extent = kernel.axes[static_cast<size_t>(rows.axis)].extent;
    rows.points = proven_le(extent, (*numbers)[1]) ? 0 : (*numbers)[1];
  }
  if (rows.points > 0) {
    rows.block_axis = static_cast<int>(kernel.axes.size());
    const Dim& extent = kernel.axes[static_cast<size_t>(rows.axis)].extent;
    kernel.axes.push_back({ceildiv(extent, rows.points), AxisKind::parallel, "block"});
  }
  LoopPlan out = schedule_loops(kernel, rows);
  out.reason = "vectorised along i" + std::to_string(rows.axis) +
               (rows.points > 0 ? " in blocks of " + std::to_string(rows.points) : "");
  return out;
}

}  // namespace burin

#include "select/integers/integer_sum.h"

#include <algorithm>

#include "fuse/attention/attention_form.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"
#include "kernel/split_axes.h"
#include "select/axes/regroup.h"
#include "select/products/contraction.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kLeastWork = 4096;  // multiplications

bool is_tap(const Expr& element, int axis, const std::vector<int>& over) {
  bool found = false;
  visit_indices(element, [&](const Index& index) {
    if (!index.uses_axis(axis)) return;
    for (const int other : over) found = found || index.uses_axis(other);
  });
  return found;
}

std::optional<IntegerSum> find_sum(const Kernel& given, const std::vector<Value>& values) {
  if (given.lets.empty() || given.writes.size() != 1) return std::nullopt;
  IntegerSum out;
  out.kernel = given.lets.size() == 1 ? given : without_maps(given);
  const Kernel& kernel = out.kernel;
  if (kernel.lets.size() != 1 || is_sequential(kernel)) return std::nullopt;
  const Let& let = kernel.lets[0];
  const Write& write = kernel.writes[0];
  if (let.op != Combiner::sum || let.body.size() != 1 || write.how != How::store ||
      write.over != let.over)
    return std::nullopt;
  out.sum = let.accumulator[0];
  if (out.sum != Type::i32 && out.sum != Type::f32) return std::nullopt;
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return std::nullopt;
  const auto factor = [&](const Expr& element) {
    GivenFactor one{element, packed_ahead(element, kernel, values), std::nullopt, axes_of(element)};
    // Constants are any numbers that fit; floats are known to do so by their type only.
    if (!one.constant || is_float(out.sum)) one.narrow = narrow_factor(element);
    return one;
  };
  out.a = factor(body->operands[0]);
  out.b = factor(body->operands[1]);
  for (const GivenFactor* one : {&out.a, &out.b}) {
    if (!one->narrow && (!one->constant || is_float(out.sum))) return std::nullopt;
  }
  out.column = closest_axis(write, values, out.a.axes, out.b.axes);
  if (out.column < 0) return std::nullopt;
  if (contains(out.a.axes, out.column)) std::swap(out.a, out.b);
  for (const int axis : let.over) {
    const bool a = contains(out.a.axes, axis), b = contains(out.b.axes, axis);
    if (!a && !b) return std::nullopt;
    (a && b ? out.batch : a ? out.m : out.n).push_back(axis);
  }
  out.reduced = let.reduced;
  // One that only one factor has would repeat the other's panels.
  for (const int axis : out.reduced) {
    if (!contains(out.a.axes, axis) || !contains(out.b.axes, axis)) return std::nullopt;
  }
  const auto points = [&](const std::vector<int>& axes) {
    return at_least_one(extent_of(kernel, axes));
  };
  const int64_t depth = points(out.reduced);
  if (depth < kLeastTiledDepth ||
      points(out.batch) * points(out.m) * points(out.n) * depth < kLeastWork)
    return std::nullopt;
  return out;
}

// Whether results of neighbouring columns lie side by side.
bool has_rows(const IntegerSum& found, const std::vector<Value>& values) {
  const Write& write = found.kernel.writes[0];
  const Index address = linearize(write.at, values[at(write.to)].shape);
  const Index column = Index::axis(found.column, found.kernel.axes[at(found.column)].extent);
  return !(address - column).uses_axis(found.column);
}

}  // namespace

std::optional<IntegerSum> find_integer_sum(const Kernel& given, const std::vector<Value>& values,
                                           int64_t lanes) {
  std::optional<IntegerSum> out = find_sum(given, values);
  if (out && has_rows(*out, values)) return out;
  // Columns may be parts of an axis that a reshape made of several.
  const Kernel split = split_axes(given);
  if (split.axes.size() == given.axes.size()) return out;
  std::optional<IntegerSum> of_parts = find_sum(split, values);
  if (!of_parts || !has_rows(*of_parts, values)) return out;
  // Parts that leave most lanes empty where others fill them: channels behind a shuffle of pixels.
  const auto columns = [](const IntegerSum& sum) {
    return at_least_one(extent_of(sum.kernel, sum.n));
  };
  const bool fills = out && columns(*out) >= lanes && columns(*of_parts) < lanes / 2;
  return fills ? out : of_parts;
}

std::vector<int> axes_of_panels(const IntegerSum& sum, const std::vector<int>& own) {
  std::vector<int> axes = sum.batch;
  axes.insert(axes.end(), own.begin(), own.end());
  axes.insert(axes.end(), sum.reduced.begin(), sum.reduced.end());
  return axes;
}

bool is_tap(const IntegerSum& sum, int axis) {
  const std::vector<int>& over = sum.kernel.lets[0].over;
  return is_tap(sum.a.element, axis, over) || is_tap(sum.b.element, axis, over);
}

int grouped_axis(const IntegerSum& found, int group) {
  int best = -1;
  int64_t most = -1;
  for (const int axis : found.reduced) {
    const int64_t points = at_least_one(found.kernel.axes[at(axis)].extent);
    const int64_t full = points * 12 / ((points + group - 1) / group * group);
    const int64_t score = full >= 9 ? (is_tap(found, axis) ? 20 : 40) + full : full;
    if (score < most) continue;
    most = score;
    best = axis;
  }
  return best;
}

}  // namespace burin

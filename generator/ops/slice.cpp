// Slice: from start to end (not included) by step, per axis; negative bounds count from the end and
// bounds outside are clipped, as numpy does. Attributes until opset 9, inputs from 10 on. Bounds
// may be known only to the run; axes and steps may not.
#include <algorithm>
#include <limits>

#include "ops/api/movement.h"
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Bounds from here on mean "to the end" (or, negative, "from the beginning") of any dimension:
// exporters write the ends of int32 and int64 for that.
constexpr int64_t kFar = std::numeric_limits<int32_t>::max();

// The dimension's points that a bound may name: [lowest, highest]. A slice that runs forwards has
// 0 and the extent, one that runs backwards -1 and the last point.
struct Limits {
  Dim lowest, highest;
};

Limits limits_of(const Dim& extent, bool forwards) {
  return forwards ? Limits{0, extent} : Limits{-1, extent - 1};
}

Expr number(int64_t value) { return Expr::constant(Type::i64, value); }

Expr resolved(const Expr& bound, const Dim& extent, const Limits& limits) {
  const Expr wrapped =
      Expr::select(compare(Binary::lt, bound, number(0)), bound + Expr::index(extent), bound);
  return max(min(wrapped, Expr::index(limits.highest)), Expr::index(limits.lowest));
}

Dim resolved(OpContext& op, const Dim& bound, const Dim& extent, const Limits& limits) {
  if (const std::optional<int64_t> fixed = bound.as_constant()) {
    const int64_t most = std::min(extent.range().hi, kFar);
    if (*fixed >= most) return limits.highest;
    if (*fixed < -most) return limits.lowest;
    return max(min(*fixed < 0 ? extent + *fixed : Dim(*fixed), limits.highest), limits.lowest);
  }
  if (proven_nonnegative(bound)) return max(min(bound, limits.highest), limits.lowest);
  if (proven_lt(bound, 0)) return max(min(extent + bound, limits.highest), limits.lowest);
  // Its sign is known only to the run.
  const int64_t most = limits.highest.range().hi;
  const Symbol symbol = op.run_symbol("bound", {limits.lowest.range().lo, most});
  op.bind(symbol, resolved(Expr::index(bound), extent, limits));
  return Index::symbol(symbol);
}

struct Bounds {
  std::vector<Dim> starts, ends;  // resolved
  std::vector<int64_t> steps;
  std::vector<int> axes;
};

// The bounds of input i, resolved. A bound that only the run knows is resolved as it is bound.
std::vector<Dim> read_bounds(OpContext& op, int i, const Operand& x, const Bounds& bounds) {
  const auto limits = [&](int64_t k) {
    const size_t at = static_cast<size_t>(k);
    return limits_of(x.dim(bounds.axes[at]), bounds.steps[at] > 0);
  };
  const auto extent = [&](int64_t k) { return x.dim(bounds.axes[static_cast<size_t>(k)]); };
  if (const std::optional<std::vector<Dim>> known = op.known(i)) {
    std::vector<Dim> out;
    for (size_t k = 0; k < known->size() && k < bounds.axes.size(); ++k) {
      const int64_t at = static_cast<int64_t>(k);
      out.push_back(resolved(op, (*known)[k], extent(at), limits(at)));
    }
    return out;
  }
  int64_t most = 0;
  for (const int axis : bounds.axes) most = std::max(most, x.dim(axis).range().hi);
  const bool forwards =
      std::all_of(bounds.steps.begin(), bounds.steps.end(), [](int64_t step) { return step > 0; });
  return op.elements(i, {forwards ? 0 : -1, most}, [&](int64_t k, const Expr& element) {
    return resolved(element, extent(k), limits(k));
  });
}

Bounds read(OpContext& op, const Operand& x) {
  const bool inputs = op.version() >= 10;
  Bounds bounds;
  std::vector<int64_t> starts, ends;
  size_t count = 0;
  if (inputs) {
    const Operand given = op.input(1);
    if (given.rank() != 1 || !given.dim(0).is_constant())
      refuse("dynamic-shape", "starts have shape " + to_string(given.shape()) +
                                  "; they must be a list of known length");
    op.require_equal(product(op.input(2).shape()), given.dim(0), "number of ends");
    count = static_cast<size_t>(given.dim(0).constant());
  } else {
    starts = op.integers("starts");
    ends = op.integers("ends");
    count = starts.size();
  }
  std::vector<int64_t> all;
  for (size_t d = 0; d < count; ++d) all.push_back(static_cast<int64_t>(d));
  const auto axes = constant_list(op, "axes", 3);
  bounds.axes = normalize_axes(axes.value_or(all), x.rank(), false);
  const auto steps = inputs ? constant_list(op, "steps", 4) : std::nullopt;
  bounds.steps = steps.value_or(std::vector<int64_t>(count, 1));
  if (bounds.axes.size() != count || bounds.steps.size() != count ||
      (!inputs && ends.size() != count)) {
    refuse("bad-attribute", "starts, ends, axes and steps must have one length");
  }
  for (int64_t& step : bounds.steps) {
    if (step == 0) refuse("bad-attribute", "a step is 0");
    step = std::clamp(step, -kFar, kFar);
  }
  if (inputs) {
    bounds.starts = read_bounds(op, 1, x, bounds);
    bounds.ends = read_bounds(op, 2, x, bounds);
    return bounds;
  }
  for (size_t k = 0; k < count; ++k) {
    const Dim& extent = x.dim(bounds.axes[k]);
    bounds.starts.push_back(resolved(op, starts[k], extent, limits_of(extent, true)));
    bounds.ends.push_back(resolved(op, ends[k], extent, limits_of(extent, true)));
  }
  return bounds;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Bounds bounds = read(op, x);
  Shape shape = x.shape();
  for (size_t k = 0; k < bounds.axes.size(); ++k) {
    const int64_t step = bounds.steps[k];
    const Dim span =
        step > 0 ? bounds.ends[k] - bounds.starts[k] : bounds.starts[k] - bounds.ends[k];
    shape[static_cast<size_t>(bounds.axes[k])] = ceildiv(max(span, 0), step > 0 ? step : -step);
  }
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) {
    Indices from = at;
    for (size_t k = 0; k < bounds.axes.size(); ++k) {
      const size_t d = static_cast<size_t>(bounds.axes[k]);
      from[d] = bounds.starts[k] + at[d] * bounds.steps[k];
    }
    return x.at(std::move(from));
  });
}

}  // namespace

OpDef op_slice() {
  return {.name = "Slice",
          .inputs = {{"data"},
                     {"starts", types::indices, Arity::optional},
                     {"ends", types::indices, Arity::optional},
                     {"axes", types::indices, Arity::optional},
                     {"steps", types::indices, Arity::optional}},
          .outputs = {{"output"}},
          .attributes = {{"starts", AttributeKind::integers},
                         {"ends", AttributeKind::integers},
                         {"axes", AttributeKind::integers}},
          .lower = lower,
          .note = "axes and steps must be known while generating"};
}

}  // namespace burin

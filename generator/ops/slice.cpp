// Slice: from start to end (not included) by step, per axis; negative bounds count from the end and
// bounds outside are clipped. Unlike numpy's, a backward slice that starts in front of the first
// element starts at it. Attributes until opset 9, inputs from 10 on. All of them may be known only
// to the run; where axes or steps are, every dimension gets a start, a step
// and a dynamic extent.
#include <algorithm>
#include <limits>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::slice_op {
namespace {

// Bounds from here on mean "to the end" (or, negative, "from the beginning") of any dimension:
// exporters write the ends of int32 and int64 for that.
constexpr int64_t kFar = std::numeric_limits<int32_t>::max();

// The dimension's points that a bound may name: [lowest, highest]. A slice that runs forwards has
// 0 and the extent, one that runs backwards -1 and the last point, but may start at 0 at the
// lowest, where there is one.
struct Limits {
  Dim lowest, highest;
};

Limits limits_of(const Dim& extent, bool forwards, bool starts) {
  if (forwards) return {0, extent};
  return {starts ? min(0, extent - 1) : Dim(-1), extent - 1};
}

Expr number(int64_t value) { return Expr::constant(Type::i64, value); }

Expr resolved(const Expr& bound, const Dim& extent, const Limits& limits) {
  const Expr wrapped =
      Expr::select(compare(Binary::lt, bound, number(0)), bound + Expr::index(extent), bound);
  return max(min(wrapped, Expr::index(limits.highest)), Expr::index(limits.lowest));
}

// `name`: of the size, where the run resolves it.
Dim resolved(OpContext& op, const std::string& name, const Dim& bound, const Dim& extent,
             const Limits& limits) {
  if (const std::optional<int64_t> fixed = bound.as_constant()) {
    const int64_t most = std::min(extent.range().hi, kFar);
    if (*fixed >= most) return limits.highest;
    if (*fixed < -most || *fixed <= -kFar) return limits.lowest;
    return max(min(*fixed < 0 ? extent + *fixed : Dim(*fixed), limits.highest), limits.lowest);
  }
  if (proven_nonnegative(bound)) return max(min(bound, limits.highest), limits.lowest);
  if (proven_lt(bound, 0)) return max(min(extent + bound, limits.highest), limits.lowest);
  // Its sign is known only to the run.
  const Symbol symbol = op.run_symbol(name, {limits.lowest.range().lo, limits.highest});
  op.bind(symbol, resolved(Expr::index(bound), extent, limits));
  return Index::symbol(symbol);
}

struct Bounds {
  std::vector<Dim> starts, ends;  // resolved
  std::vector<int64_t> steps;
  std::vector<int> axes;
};

// The bounds of input i, resolved. A dynamic bound is resolved as it is bound.
std::vector<Dim> read_bounds(OpContext& op, int i, const Operand& x, const Bounds& bounds) {
  const auto limits = [&](int64_t k) {
    const size_t at = static_cast<size_t>(k);
    return limits_of(x.dim(bounds.axes[at]), bounds.steps[at] > 0, i == 1);
  };
  const auto extent = [&](int64_t k) { return x.dim(bounds.axes[static_cast<size_t>(k)]); };
  if (const std::optional<std::vector<Dim>> known = op.known(i)) {
    std::vector<Dim> out;
    for (size_t k = 0; k < known->size() && k < bounds.axes.size(); ++k) {
      const int64_t at = static_cast<int64_t>(k);
      const std::string name = (i == 1 ? "start_bound" : "end_bound") + std::to_string(k);
      out.push_back(resolved(op, name, (*known)[k], extent(at), limits(at)));
    }
    return out;
  }
  std::vector<SizeRange> ranges;
  for (size_t k = 0; k < bounds.axes.size(); ++k)
    ranges.push_back({bounds.steps[k] > 0 ? 0 : -1, x.dim(bounds.axes[k])});
  return op.elements_within(i, ranges, [&](int64_t k, const Expr& element) {
    return resolved(element, extent(k), limits(k));
  });
}

// How many bounds the lists that are inputs have.
int64_t count_of(OpContext& op) {
  const Operand given = op.input(1);
  if (given.rank() != 1 || !given.dim(0).is_constant()) {
    refuse(
        "dynamic-shape",
        "starts have shape " + to_string(given.shape()) + "; they must be a list of known length",
        "declare the length in the model");
  }
  op.require_equal(product(op.input(2).shape()), given.dim(0), "number of ends");
  return given.dim(0).constant();
}

bool is_run_time(OpContext& op, int i) {
  if (op.version() < 10 || !op.has_input(i)) return false;
  const std::optional<std::vector<Dim>> known = op.known(i);
  return !known || !std::all_of(known->begin(), known->end(),
                                [](const Dim& dim) { return dim.is_constant(); });
}

// What one dimension's entries say, or what they are where no axis names it.
struct Entries {
  Expr start, end, step, legal;
};

Entries entries_of(OpContext& op, int rank, int dim, int64_t count) {
  Entries found{number(0), number(std::numeric_limits<int64_t>::max()), number(1),
                Expr::boolean(true)};
  for (int64_t k = 0; k < count; ++k) {
    const auto entry = [&](int i) { return Expr::cast(Type::i64, op.input(i).at({Index(k)})); };
    Expr named = Expr::boolean(k == dim);
    if (op.has_input(3)) {
      const Expr axis = entry(3);
      const Expr low = compare(Binary::lt, axis, number(0));
      named = compare(Binary::eq, Expr::select(low, axis + number(rank), axis), number(dim));
      const Expr inside =
          Expr::binary(Binary::logical_and, compare(Binary::le, number(-rank), axis),
                       compare(Binary::lt, axis, number(rank)));
      found.legal = Expr::binary(Binary::logical_and, found.legal, inside);
    }
    found.start = Expr::select(named, entry(1), found.start);
    found.end = Expr::select(named, entry(2), found.end);
    if (op.has_input(4)) found.step = Expr::select(named, entry(4), found.step);
  }
  found.legal =
      Expr::binary(Binary::logical_and, found.legal, compare(Binary::ne, found.step, number(0)));
  found.step = max(min(found.step, number(kFar)), number(-kFar));
  return found;
}

// Dynamic axes or steps.
void lower_at_run(OpContext& op, const Operand& x) {
  const int64_t count = count_of(op);
  if (count > x.rank())  // no axis may be named twice
    refuse("bad-attribute", std::to_string(count) + " starts for rank " + std::to_string(x.rank()));
  for (const int i : {2, 3, 4}) {
    if (!op.has_input(i)) continue;
    if (op.input(i).rank() != 1) refuse("shape-mismatch", "ends, axes and steps must be lists");
    op.require_equal(op.input(i).dim(0), count, "number of ends, axes and steps");
  }
  Shape shape;
  std::vector<Dim> starts, steps;
  for (int d = 0; d < x.rank(); ++d) {
    const std::string at = std::to_string(d);
    const Dim& extent = x.dim(d);
    const Entries entries = entries_of(op, x.rank(), d, count);
    const Symbol step = op.run_symbol("step" + at, {-kFar, kFar});
    const Symbol start = op.run_symbol("start" + at, {-1, extent});
    const Symbol result = op.run_symbol("extent" + at, {0, extent});
    const Expr forwards = compare(Binary::gt, entries.step, number(0));
    const auto clipped = [&](const Expr& bound, bool starts) {
      const Limits up = limits_of(extent, true, starts), down = limits_of(extent, false, starts);
      return Expr::select(forwards, resolved(bound, extent, up), resolved(bound, extent, down));
    };
    const Expr first = clipped(entries.start, true), end = clipped(entries.end, false);
    const Expr span = Expr::select(forwards, end - first, first - end);
    const Expr size = max(Expr::select(forwards, entries.step, -entries.step), number(1));
    const Expr points = max(span + size - number(1), number(0)) / size;
    op.bind(step, entries.step);
    op.bind(start, first);
    op.bind(result, Expr::select(entries.legal, points, number(-1)));
    steps.push_back(Index::symbol(step));
    starts.push_back(Index::symbol(start));
    shape.push_back(Index::symbol(result));
  }
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) {
    Indices from;
    for (size_t d = 0; d < at.size(); ++d) from.push_back(starts[d] + at[d] * steps[d]);
    return x.at(std::move(from));
  });
}

Bounds read(OpContext& op, const Operand& x) {
  const bool inputs = op.version() >= 10;
  Bounds bounds;
  std::vector<int64_t> starts, ends;
  size_t count = 0;
  if (inputs) {
    count = static_cast<size_t>(count_of(op));
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
    if (step == 0) refuse("bad-attribute", "operand 'steps': a step is 0");
    step = std::clamp(step, -kFar, kFar);
  }
  if (inputs) {
    bounds.starts = read_bounds(op, 1, x, bounds);
    bounds.ends = read_bounds(op, 2, x, bounds);
    return bounds;
  }
  for (size_t k = 0; k < count; ++k) {
    const Dim& extent = x.dim(bounds.axes[k]);
    bounds.starts.push_back(
        resolved(op, "start_bound", starts[k], extent, limits_of(extent, true, true)));
    bounds.ends.push_back(
        resolved(op, "end_bound", ends[k], extent, limits_of(extent, true, false)));
  }
  return bounds;
}

// end - start; max(N - 1, 0) and not N - min(1, N), which a slice of a slice would name twice.
Dim span_of(const Dim& start, const Dim& end) {
  if (start.kind() != IndexKind::min) return end - start;
  Dim span = end - start.operands()[0];
  for (const Dim& one : start.operands()) span = max(span, end - one);
  return span;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (is_run_time(op, 3) || is_run_time(op, 4)) return lower_at_run(op, x);
  const Bounds bounds = read(op, x);
  Shape shape = x.shape();
  for (size_t k = 0; k < bounds.axes.size(); ++k) {
    const int64_t step = bounds.steps[k];
    const Dim span = step > 0 ? span_of(bounds.starts[k], bounds.ends[k])
                              : span_of(bounds.ends[k], bounds.starts[k]);
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

OpDef definition() {
  return {.name = "Slice",
          .inputs = {{"data", types::tensors},
                     {"starts", types::indices, Arity::required, since(10)},
                     {"ends", types::indices, Arity::required, since(10)},
                     {"axes", types::indices, Arity::optional, since(10)},
                     {"steps", types::indices, Arity::optional, since(10)}},
          .outputs = {{"output"}},
          .attributes = {{"starts", AttributeKind::integers, true, until(9)},
                         {"ends", AttributeKind::integers, true, until(9)},
                         {"axes", AttributeKind::integers, false, until(9)}},
          .lower = lower};
}

}  // namespace burin::slice_op

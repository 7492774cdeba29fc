// GridSample: the input at places that a grid gives in [-1, 1], nearest, linear or cubic; outside
// it is zero, the border, or mirrored. Any number of spatial dimensions. Since opset 16; opset 20
// renamed the modes.
#include "ops/api/core/op_def.h"
#include "ops/api/math/sliding_window.h"
#include "ops/api/movement/resampling.h"
#include "support/diagnostics.h"

namespace burin::grid_sample_op {
namespace {

constexpr double kCubic = -0.75;
constexpr int64_t kMargin = 4;  // how far outside the input a place is followed

enum class Padding : uint8_t { zeros, border, reflection };

struct Rule {
  Sampling sampling = Sampling::linear;
  Padding padding = Padding::zeros;
  bool align = false;
};

Rule rule_of(const OpContext& op) {
  Rule rule;
  const std::string mode = op.text("mode", op.version() < 20 ? "bilinear" : "linear");
  if (mode == "nearest") {
    rule.sampling = Sampling::nearest;
  } else if (mode == "bicubic" || mode == "cubic") {
    rule.sampling = Sampling::cubic;
  } else if (mode != "bilinear" && mode != "linear") {
    refuse("bad-attribute", "mode is " + quoted(mode));
  }
  const std::string padding = op.text("padding_mode", "zeros");
  if (padding == "border") {
    rule.padding = Padding::border;
  } else if (padding == "reflection") {
    rule.padding = Padding::reflection;
  } else if (padding != "zeros") {
    refuse("bad-attribute", "padding_mode is " + quoted(padding));
  }
  rule.align = op.integer("align_corners", 0) != 0;
  return rule;
}

Expr real(double value) { return Expr::constant(Type::f32, value); }
Expr real(const Index& value) { return Expr::cast(Type::f32, Expr::index(value)); }

// x mirrored into [low, low + width].
Expr mirrored(const Expr& x, const Expr& low, const Expr& width) {
  const Expr distance = Expr::unary(Unary::abs, x - low);
  const Expr phase = Expr::binary(Binary::fmod, distance, width * 2.0);
  const Expr inside = low + min(phase, width * 2.0 - phase);
  return Expr::select(compare(Binary::gt, width, real(0.0)), inside, low);
}

// An input coordinate, and the weight it has.
struct Tap {
  Index at;
  Expr weight;  // empty: 1
};

Index padded(const Rule& rule, const Index& i, const Dim& extent) {
  if (rule.padding == Padding::zeros) return i;
  Index inside = i;
  if (rule.padding == Padding::reflection) {
    const Dim last = rule.align ? extent - 1 : extent * 2 - 1;
    const Index low = rule.align ? max(i, -i) : max(i, -1 - i);
    inside = min(low, rule.align ? last * 2 - low : last - low);
  }
  return max(min(inside, extent - 1), 0);
}

std::vector<Tap> taps_of(const Rule& rule, const Expr& normal, const Dim& extent) {
  const Expr size = real(extent), last = real(extent - 1);
  Expr x = rule.align ? (normal + 1.0) * 0.5 * last : ((normal + 1.0) * size - 1.0) * 0.5;
  if (rule.sampling == Sampling::nearest) x = Expr::unary(Unary::round, x);
  const Expr low = rule.align ? real(0.0) : real(-0.5), width = rule.align ? last : size;
  // A cubic place stays where it is: only its taps are brought back.
  const bool cubic = rule.sampling == Sampling::cubic;
  if (rule.padding == Padding::border && !cubic) x = min(max(x, real(0.0)), last);
  if (rule.padding == Padding::reflection) {
    const Expr outside = Expr::binary(Binary::logical_or, compare(Binary::lt, x, low),
                                      compare(Binary::gt, x, low + width));
    x = Expr::select(outside, mirrored(x, low, width), x);
  }
  const Expr floor = Expr::unary(Unary::floor, x);
  const Expr whole = Expr::cast(
      Type::i64, min(max(floor, real(static_cast<double>(-kMargin))), real(extent + kMargin)));
  const int64_t most = extent.range().hi;
  const Index base =
      Index::data(whole.ptr(), {-kMargin, most == kUnbounded ? kUnbounded : most + kMargin});
  if (rule.sampling == Sampling::nearest) return {{padded(rule, base, extent), {}}};
  const Expr t = x - floor;
  const std::vector<Expr> weights =
      cubic ? cubic_weights(kCubic, t) : std::vector<Expr>{1.0 - t, t};
  std::vector<Tap> taps;
  for (size_t k = 0; k < weights.size(); ++k) {
    const int64_t step = static_cast<int64_t>(k) - (cubic ? 1 : 0);
    taps.push_back({padded(rule, base + step, extent), weights[k]});
  }
  return taps;
}

Expr weighted(const Operand& x, const Rule& rule, const std::vector<std::vector<Tap>>& taps,
              size_t number, Indices& from) {
  if (number == taps.size()) {
    Guard inside;
    for (size_t d = 2; d < from.size(); ++d) inside.push_back({from[d], 0, x.shape()[d]});
    if (rule.padding != Padding::zeros) inside.clear();
    const Expr value = Expr::cast(Type::f32, x.at(from));
    return Expr::cases({{inside, value}}, real(0.0));
  }
  Expr sum;
  for (const Tap& tap : taps[number]) {
    from[number + 2] = tap.at;
    Expr term = weighted(x, rule, taps, number + 1, from);
    if (tap.weight) term = term * tap.weight;
    sum = sum ? sum + term : term;
  }
  return sum;
}

void lower(OpContext& op) {
  const Operand x = op.input(0), grid = op.input(1);
  const Rule rule = rule_of(op);
  const Shape input = spatial_shape(x);
  if (grid.rank() != x.rank())
    refuse("shape-mismatch", "grid has rank " + std::to_string(grid.rank()));
  op.require_equal(grid.dim(0), x.dim(0), "batch of X and grid");
  op.require_equal(grid.dim(-1), static_cast<int64_t>(input.size()), "coordinates of the grid");
  for (const Dim& extent : input) op.require({{extent, 1, extent + 1}}, "spatial dimension");
  Shape shape = {x.dim(0), x.dim(1)};
  shape.insert(shape.end(), grid.shape().begin() + 1, grid.shape().end() - 1);
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) {
    std::vector<std::vector<Tap>> taps;
    for (size_t d = 0; d < input.size(); ++d) {
      // The grid gives the last spatial dimension first.
      Indices place = at;
      place.erase(place.begin() + 1);
      place.push_back(static_cast<int64_t>(input.size() - 1 - d));
      taps.push_back(taps_of(rule, Expr::cast(Type::f32, grid.at(place)), input[d]));
    }
    Indices from = at;
    return Expr::cast(y.compute(), weighted(x, rule, taps, 0, from));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "GridSample",
          .since = 16,
          .inputs = {{"X", types::numeric | types::boolean}, {"grid", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"align_corners", AttributeKind::integer},
                         {"mode", AttributeKind::text},
                         {"padding_mode", AttributeKind::text}},
          .lower = lower};
}

}  // namespace burin::grid_sample_op

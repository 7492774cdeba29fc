#include "ops/api/movement/resampling.h"

#include <cmath>
#include <numeric>

#include "kernel/index/size_bound.h"
#include "ops/api/core/known_elements.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostDenominator = 1024;
constexpr int64_t kMostReach = 4096;  // of a filter of dynamic scale
constexpr double kMostScale = 65536;

Expr real(double value) { return Expr::constant(Type::f32, value); }
Expr real(const Index& value) { return Expr::cast(Type::f32, Expr::index(value)); }
Expr clip(const Expr& x, const Expr& lo, const Expr& hi) { return min(max(x, lo), hi); }

// Where an output point lies in the input.
struct Place {
  Index floor;    // may be outside
  Index nearest;  // may be outside
  Expr fraction;  // f32, in [0, 1); in (0, 1] between neighbours
  Expr outside;   // boolean; only where the region of interest may leave the input
};

// x = numerator / denominator, both integers, the denominator positive.
struct Fraction {
  Index numerator;
  Dim denominator;
};

Fraction fraction_of(const ResizeRule& rule, const ResizeAxis& axis, const Index& o) {
  const Dim &up = axis.ratio->up, &down = axis.ratio->down;
  const Fraction half_pixel = {(o * 2 + 1) * down - up, up * 2};
  if (rule.place == "asymmetric") return {o * down, up};
  if (rule.place == "align_corners")
    return {o * (axis.input - 1) * down, max(axis.input * up - down, 1)};
  if (rule.place == "tf_half_pixel_for_nn") return {(o * 2 + 1) * down, up * 2};
  if (rule.place == "half_pixel_symmetric")
    return {half_pixel.numerator + axis.input * up - axis.output * down, up * 2};
  if (rule.place == "pytorch_half_pixel") {
    // A single point lies at 0, also where it is dynamic whether it is single.
    const Dim many = max(min(axis.output - 1, 1), 0);
    return {half_pixel.numerator * many, half_pixel.denominator};
  }
  return half_pixel;
}

Index rounded(const ResizeRule& rule, const ResizeAxis& axis, const Fraction& x) {
  const Index &n = x.numerator, &d = x.denominator;
  if (rule.rounding == kByScale)
    return proven_lt(axis.ratio->up, axis.ratio->down) ? ceildiv(n, d) : floordiv(n, d);
  if (rule.rounding == "floor") return floordiv(n, d);
  if (rule.rounding == "ceil") return ceildiv(n, d);
  if (rule.rounding == "round_prefer_ceil") return floordiv(n * 2 + d, d * 2);
  return ceildiv(n * 2 - d, d * 2);
}

Expr rounded(const ResizeRule& rule, const ResizeAxis& axis, const Expr& x) {
  if (rule.rounding == kByScale) {
    return Expr::select(compare(Binary::lt, axis.scale, real(1.0)), Expr::unary(Unary::ceil, x),
                        Expr::unary(Unary::floor, x));
  }
  if (rule.rounding == "floor") return Expr::unary(Unary::floor, x);
  if (rule.rounding == "ceil") return Expr::unary(Unary::ceil, x);
  if (rule.rounding == "round_prefer_ceil") return Expr::unary(Unary::floor, x + 0.5);
  return Expr::unary(Unary::ceil, x - 0.5);
}

Expr place_in_floats(const ResizeRule& rule, const ResizeAxis& axis, const Index& o) {
  const Expr position = real(o), half = (position + 0.5) / axis.scale;
  const Expr last = real(axis.input - 1);
  if (rule.crops()) {
    const Expr single = (axis.start + axis.end) * 0.5 * last;
    const Expr spread = axis.start * last +
                        position * (axis.end - axis.start) * last / real(max(axis.output - 1, 1));
    if (proven_lt(1, axis.output)) return spread;
    return Expr::select(compare(Binary::eq, real(axis.output), real(1.0)), single, spread);
  }
  if (rule.place == "asymmetric") return position / axis.scale;
  if (rule.place == "align_corners") {
    const Expr steps = axis.scale * real(axis.input) - 1.0;
    const Expr many = compare(Binary::gt, steps, real(0.0));
    return Expr::select(many, position * last / steps, real(0.0));
  }
  if (rule.place == "tf_half_pixel_for_nn") return half;
  if (rule.place == "half_pixel_symmetric") {
    const Expr exact = axis.scale * real(axis.input);
    const Expr offset = real(axis.input) * 0.5 * (1.0 - real(axis.output) / exact);
    return offset + half - 0.5;
  }
  if (rule.place == "pytorch_half_pixel") {
    const Expr many = compare(Binary::gt, real(axis.output), real(1.0));
    return Expr::select(many, half - 0.5, real(0.0));
  }
  return half - 0.5;
}

Index whole(const Expr& x, const ResizeAxis& axis) {
  const Expr clipped = Expr::cast(Type::i64, clip(x, real(-2.0), real(axis.input + 1)));
  const int64_t most = axis.input.range().hi;
  return Index::data(clipped.ptr(), {-2, most == kUnbounded ? kUnbounded : most + 1});
}

// A place that is a point of the input lies at the end of the step before it, as ONNX's reference
// has it: its neighbours of weight 0, whose NaN it keeps, are those.
bool lies_between_neighbours(const ResizeRule& rule) {
  return rule.sampling != Sampling::nearest && !rule.antialias;
}

Place place_of(const ResizeRule& rule, const ResizeAxis& axis, const Index& o) {
  const bool between = lies_between_neighbours(rule);
  if (axis.ratio && !rule.crops()) {
    const Fraction x = fraction_of(rule, axis, o);
    const Index n = x.numerator - (between ? 1 : 0);
    const Expr part = real(mod(n, x.denominator) + (between ? 1 : 0)) / real(x.denominator);
    return {floordiv(n, x.denominator), rounded(rule, axis, x), part, {}};
  }
  const Expr x = place_in_floats(rule, axis, o);
  const Expr low = between ? Expr::unary(Unary::ceil, x) - 1.0 : Expr::unary(Unary::floor, x);
  Place place{whole(low, axis), whole(rounded(rule, axis, x), axis), x - low, {}};
  if (rule.crops()) {
    place.outside = Expr::binary(Binary::logical_or, compare(Binary::lt, x, real(0.0)),
                                 compare(Binary::gt, x, real(axis.input - 1)));
  }
  return place;
}

// One input point that takes part, and its weight.
struct Tap {
  Index at;
  Expr weight;
};

Expr near_cubic(double a, const Expr& d) { return ((d * (a + 2) - (a + 3)) * d) * d + 1.0; }
Expr far_cubic(double a, const Expr& d) { return ((d * a - 5 * a) * d + 8 * a) * d - 4 * a; }

std::vector<Expr> weights_of(const ResizeRule& rule, const Expr& t) {
  if (rule.sampling == Sampling::linear) return {1.0 - t, t};
  return cubic_weights(rule.cubic, t);
}

Index inside(const Index& i, const Dim& extent) { return max(min(i, extent - 1), 0); }

// Once for each place along the axis, which takes room for all of them: where nothing bounds it,
// for each result.
Expr once(KernelBuilder& kernel, const ResizeAxis& axis, const Index& o, const Expr& value) {
  if (value.is_constant() || !is_bounded_before_run(axis.output)) return value;
  return kernel.let({o}, value);
}

std::vector<Tap> taps_of(KernelBuilder& kernel, const ResizeRule& rule, const ResizeAxis& axis,
                         const Index& o, const Place& place) {
  const Expr t = once(kernel, axis, o, place.fraction);
  const std::vector<Expr> weights = weights_of(rule, t);
  const int64_t before = rule.sampling == Sampling::linear ? 0 : 1;
  std::vector<Tap> taps;
  Expr total = real(0.0);
  for (size_t k = 0; k < weights.size(); ++k) {
    const Index i = place.floor + (static_cast<int64_t>(k) - before);
    Expr weight = weights[k];
    if (rule.exclude_outside) weight = Expr::cases({{{{i, 0, axis.input}}, weight}}, real(0.0));
    total = total + weight;
    taps.push_back({inside(i, axis.input), weight});
  }
  for (Tap& tap : taps) {
    if (rule.exclude_outside) tap.weight = tap.weight / total;
    if (rule.sampling == Sampling::cubic) tap.weight = once(kernel, axis, o, tap.weight);
  }
  return taps;
}

// Shrinking with antialias widens the filter by the scale: as many taps as that reaches.
Tap wide_tap(OpContext& op, KernelBuilder& kernel, const ResizeRule& rule, const ResizeAxis& axis,
             const Place& place, Indices& reduced) {
  const int64_t support = rule.sampling == Sampling::linear ? 1 : 2;
  const Expr narrow = min(axis.scale, real(1.0));
  Dim reach;
  if (axis.ratio) {
    reach = ceildiv(max(axis.ratio->up, axis.ratio->down) * support, axis.ratio->up);
  } else {
    const Expr exact = Expr::unary(Unary::ceil, static_cast<double>(support) / narrow);
    reach = op.run_size("reach" + std::to_string(axis.dim), {1, kMostReach},
                        clip(Expr::cast(Type::i64, exact), Expr::constant(Type::i64, 1),
                             Expr::constant(Type::i64, kMostReach)));
  }
  const Index k = kernel.reduce_axis(reach * 2, "tap");
  reduced.push_back(k);
  const Index step = k - reach + 1, i = place.floor + step;
  const Expr stretched = (real(step) - place.fraction) * narrow;
  const Expr d = Expr::unary(Unary::abs, stretched);
  Expr weight = max(1.0 - d, real(0.0));
  if (rule.sampling == Sampling::cubic) {
    const Expr far =
        Expr::select(compare(Binary::lt, d, real(2.0)), far_cubic(rule.cubic, d), real(0.0));
    weight = Expr::select(compare(Binary::le, d, real(1.0)), near_cubic(rule.cubic, d), far);
  }
  if (rule.exclude_outside) weight = Expr::cases({{{{i, 0, axis.input}}, weight}}, real(0.0));
  const Expr total = kernel.reduce(Combiner::sum, {k}, weight);
  return {inside(i, axis.input), weight / total};
}

Expr weighted(const Operand& x, const std::vector<ResizeAxis>& axes,
              const std::vector<std::vector<Tap>>& taps, size_t number, Indices& from) {
  if (number == axes.size()) return Expr::cast(Type::f32, x.at(from));
  Expr sum;
  for (const Tap& tap : taps[number]) {
    from[static_cast<size_t>(axes[number].dim)] = tap.at;
    const Expr term = tap.weight * weighted(x, axes, taps, number + 1, from);
    sum = sum ? sum + term : term;
  }
  return sum;
}

}  // namespace

void map_resize(OpContext& op, const Operand& x, const Operand& y, const ResizeRule& rule,
                const std::vector<ResizeAxis>& axes) {
  KernelBuilder kernel;
  const Indices at = kernel.axes(y.shape());
  Indices from = at, reduced;
  Expr outside = Expr::boolean(false);
  std::vector<std::vector<Tap>> taps;
  for (const ResizeAxis& axis : axes) {
    const Index o = at[static_cast<size_t>(axis.dim)];
    const Place place = place_of(rule, axis, o);
    if (place.outside) outside = Expr::binary(Binary::logical_or, outside, place.outside);
    if (rule.sampling == Sampling::nearest) {
      from[static_cast<size_t>(axis.dim)] = inside(place.nearest, axis.input);
    } else if (rule.antialias) {
      taps.push_back({wide_tap(op, kernel, rule, axis, place, reduced)});
    } else {
      taps.push_back(taps_of(kernel, rule, axis, o, place));
    }
  }
  Expr value;
  if (rule.sampling == Sampling::nearest || axes.empty()) {
    value = x.at(from);
  } else {
    value = weighted(x, axes, taps, 0, from);
    if (!reduced.empty()) value = kernel.reduce(Combiner::sum, reduced, value);
    value = Expr::cast(y.compute(), value);
  }
  if (rule.crops()) value = Expr::select(outside, y.constant(rule.extrapolation), value);
  kernel.write(y, at, value);
  op.emit(kernel);
}

std::vector<Expr> cubic_weights(double a, const Expr& t) {
  return {far_cubic(a, t + 1.0), near_cubic(a, t), near_cubic(a, 1.0 - t), far_cubic(a, 2.0 - t)};
}

std::optional<Ratio> ratio_of(double scale) {
  for (int64_t down = 1; down <= kMostDenominator; ++down) {
    const double up = std::round(scale * static_cast<double>(down));
    if (up < 1 || up > 1e6) continue;
    if (static_cast<float>(up / static_cast<double>(down)) == static_cast<float>(scale))
      return Ratio{static_cast<int64_t>(up), down};
  }
  return std::nullopt;
}

Ratio ratio_of(const Dim& output, const Dim& input) {
  if (output.is_constant() && input.is_constant() && input.constant() > 0) {
    const int64_t common = std::max<int64_t>(std::gcd(output.constant(), input.constant()), 1);
    return {std::max<int64_t>(output.constant() / common, 1), input.constant() / common};
  }
  // A multiple, or a part, where both have the same terms.
  for (int64_t times = 1; times <= 16; ++times) {
    if (output == input * times) return {times, 1};
    if (input == output * times) return {1, times};
  }
  return {max(output, 1), input};
}

void set_scale(OpContext& op, const ResizeRule& rule, const std::optional<double>& known,
               const Expr& scale, ResizeAxis& axis) {
  axis.scale = Expr::cast(Type::f32, scale);
  if (known) {
    if (!(*known > 0 && *known <= kMostScale))
      refuse("bad-attribute", "a scale is " + std::to_string(*known));
    if (!rule.crops()) axis.ratio = ratio_of(*known);
    axis.scale = Expr::constant(Type::f32, *known);
  }
  const Expr exact = Expr::unary(Unary::floor, real(axis.input) * axis.scale);
  axis.output = op.run_size("extent" + std::to_string(axis.dim), {0, kUnbounded},
                            max(Expr::cast(Type::i64, exact), Expr::constant(Type::i64, 0)));
}

std::vector<std::optional<double>> known_numbers(const OpContext& op, int input, size_t count) {
  std::vector<std::optional<double>> out = elements_of(op).known_numbers(input);
  out.resize(count);
  return out;
}

void check_list(OpContext& op, const Operand& list, size_t count, std::string_view what) {
  if (list.rank() != 1) {
    refuse("shape-mismatch", std::string(what) + " has shape " + to_string(list.shape()) +
                                 "; it must have one dimension");
  }
  op.require_equal(list.dim(0), static_cast<int64_t>(count), what);
}

}  // namespace burin

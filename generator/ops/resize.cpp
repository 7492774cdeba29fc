// Resize: resampling by nearest neighbour, linear or cubic interpolation, to given sizes or by
// given scales. Opset 10 has two inputs and the rule of Upsample, 11 added regions, sizes and
// coordinate modes, 18 antialiasing, axes and keep_aspect_ratio_policy, 19 half_pixel_symmetric.
#include <algorithm>
#include <array>

#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "ops/api/movement/resampling.h"
#include "support/diagnostics.h"

namespace burin::resize_op {
namespace {

template <size_t kCount>
void check_choice(std::string_view what, const std::string& given,
                  const std::array<const char*, kCount>& choices) {
  if (std::find(choices.begin(), choices.end(), given) == choices.end())
    refuse("bad-attribute", std::string(what) + " is " + quoted(given));
}

ResizeRule rule_of(const OpContext& op) {
  ResizeRule rule;
  const std::string mode = op.text("mode", "nearest");
  check_choice<3>("mode", mode, {"nearest", "linear", "cubic"});
  rule.sampling = mode == "nearest"  ? Sampling::nearest
                  : mode == "linear" ? Sampling::linear
                                     : Sampling::cubic;
  if (op.version() < 11) {
    if (rule.sampling == Sampling::cubic) refuse("bad-attribute", "mode cubic needs opset 11");
    rule.rounding = kByScale;
    return rule;
  }
  rule.place = op.text("coordinate_transformation_mode", "half_pixel");
  check_choice<7>("coordinate_transformation_mode", rule.place,
                  {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                   "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  rule.rounding = op.text("nearest_mode", "round_prefer_floor");
  check_choice<4>("nearest_mode", rule.rounding,
                  {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  rule.cubic = op.real("cubic_coeff_a", -0.75);
  rule.exclude_outside = op.integer("exclude_outside", 0) != 0;
  rule.antialias = op.integer("antialias", 0) != 0;
  rule.extrapolation = op.real("extrapolation_value", 0);
  return rule;
}

bool has_list(OpContext& op, int input) {
  return op.has_input(input) && !product(op.input(input).shape()).is_constant(0);
}

void set_scales(OpContext& op, int input, const ResizeRule& rule, std::vector<ResizeAxis>& axes) {
  const Operand scales = op.input(input);
  check_list(op, scales, axes.size(), "scales");
  const std::vector<std::optional<double>> known = known_numbers(op, input, axes.size());
  for (size_t k = 0; k < axes.size(); ++k)
    set_scale(op, rule, known[k], scales.at({Index(static_cast<int64_t>(k))}), axes[k]);
}

// All sizes at one scale, the smallest or the largest that a size asks for. Rounding keeps their
// order, so that a result is the least or the greatest of what each scale makes of it. Which scale
// it is decides where points lie, and may follow from dynamic sizes.
void keep_aspect(OpContext& op, bool smallest, std::vector<ResizeAxis>& axes) {
  for (const ResizeAxis& axis : axes) {
    for (const Dim& size : {axis.output, axis.input})
      op.require({{size, 1, kUnbounded}}, "a size for keep_aspect_ratio_policy");
  }
  Dim up = axes[0].output, down = axes[0].input;
  std::vector<Dim> results;
  for (const ResizeAxis& axis : axes) {
    std::optional<Dim> result;
    for (const ResizeAxis& other : axes) {
      const Dim each = max(other.input, 1);
      const Dim one = floordiv(axis.input * other.output * 2 + each, each * 2);
      result = !result ? one : smallest ? min(*result, one) : max(*result, one);
    }
    results.push_back(*result);
    const Dim further = up * axis.input - axis.output * down;
    Dim taken = min(max(smallest ? further : -further, 0), 1);
    if (!taken.is_constant()) {
      const Symbol decides = op.run_symbol("decides" + std::to_string(axis.dim), {0, 1});
      op.bind(decides, Expr::index(taken));
      taken = Index::symbol(decides);
    }
    up += taken * (axis.output - up);
    down += taken * (axis.input - down);
  }
  const Ratio ratio = ratio_of(max(up, 1), max(down, 1));
  for (size_t k = 0; k < axes.size(); ++k) {
    axes[k].ratio = ratio;
    axes[k].output = results[k];
  }
}

void set_sizes(OpContext& op, int input, std::vector<ResizeAxis>& axes) {
  check_list(op, op.input(input), axes.size(), "sizes");
  const std::string policy = op.text("keep_aspect_ratio_policy", "stretch");
  check_choice<3>("keep_aspect_ratio_policy", policy, {"stretch", "not_larger", "not_smaller"});
  const std::vector<Dim> sizes = op.elements(input, {0, kUnbounded});
  for (size_t k = 0; k < axes.size(); ++k) {
    axes[k].output = sizes[k];
    axes[k].ratio = ratio_of(axes[k].output, axes[k].input);
  }
  if (policy != "stretch") keep_aspect(op, policy == "not_larger", axes);
  for (ResizeAxis& axis : axes) {
    axis.scale = Expr::cast(Type::f32, Expr::index(axis.ratio->up)) /
                 Expr::cast(Type::f32, Expr::index(axis.ratio->down));
  }
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const ResizeRule rule = rule_of(op);
  std::vector<int64_t> listed;
  for (int d = 0; d < x.rank(); ++d) listed.push_back(d);
  std::vector<ResizeAxis> axes;
  for (const int dim : normalize_axes(op.integers("axes", listed), x.rank(), false))
    axes.push_back({dim, x.dim(dim), x.dim(dim), {}, {}, {}, {}});
  if (rule.crops()) {
    if (!has_list(op, 1)) refuse("arity", "tf_crop_and_resize needs roi");
    const Operand roi = op.input(1);
    check_list(op, roi, 2 * axes.size(), "roi");
    for (size_t k = 0; k < axes.size(); ++k) {
      const auto entry = [&](size_t i) {
        return Expr::cast(Type::f32, roi.at({Index(static_cast<int64_t>(i))}));
      };
      axes[k].start = entry(k);
      axes[k].end = entry(axes.size() + k);
    }
  }
  const int scales = op.version() < 11 ? 1 : 2, sizes = 3;
  if (op.version() >= 11 && has_list(op, scales) && has_list(op, sizes))
    refuse("bad-attribute", "scales and sizes are both given");
  if (has_list(op, scales)) {
    set_scales(op, scales, rule, axes);
  } else if (has_list(op, sizes)) {
    set_sizes(op, sizes, axes);
  } else {
    refuse("arity", "neither scales nor sizes are given");
  }

  Shape shape = x.shape();
  for (const ResizeAxis& axis : axes) shape[static_cast<size_t>(axis.dim)] = axis.output;
  const Operand y = op.output(0, x.type(), shape);
  std::vector<ResizeAxis> changed;
  for (ResizeAxis& axis : axes) {
    axis.output = y.dim(axis.dim);
    const bool same = axis.output == axis.input && axis.ratio && axis.ratio->up == axis.ratio->down;
    if (!same) require_pickable(op, product(y.shape()), axis.input);
    if (!same || rule.place.starts_with("tf_")) changed.push_back(axis);
  }
  map_resize(op, x, y, rule, changed);
}

}  // namespace

OpDef definition() {
  return {.name = "Resize",
          .since = 10,
          .inputs = {{"X", types::numeric | types::boolean},
                     {"scales", types::f32, Arity::required, until(10)},
                     {"roi", types::floats, Arity::optional, since(11)},
                     {"scales", types::f32, Arity::optional, since(11)},
                     {"sizes", types::i64, Arity::optional, since(11)}},
          .outputs = {{"Y"}},
          .attributes = {{"mode", AttributeKind::text},
                         {"coordinate_transformation_mode", AttributeKind::text, false, since(11)},
                         {"nearest_mode", AttributeKind::text, false, since(11)},
                         {"cubic_coeff_a", AttributeKind::real, false, since(11)},
                         {"exclude_outside", AttributeKind::integer, false, since(11)},
                         {"extrapolation_value", AttributeKind::real, false, since(11)},
                         {"antialias", AttributeKind::integer, false, since(18)},
                         {"axes", AttributeKind::integers, false, since(18)},
                         {"keep_aspect_ratio_policy", AttributeKind::text, false, since(18)}},
          .lower = lower};
}

}  // namespace burin::resize_op

#include "select/products/prepack.h"

#include "select/products/compact.h"

namespace burin {

void prepack_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, Type type) {
  Value packed;
  packed.name = contraction.kernel.name + suffix;
  packed.type = type;
  packed.kind = ValueKind::constant;
  packed.constant = pack_constant(contraction, factor, lane, width, values, type);
  const std::vector<Axis>& axes = contraction.kernel.axes;
  std::vector<Index> at;
  const auto add = [&](const Dim& extent, const Index& index) {
    packed.layout.order.push_back(static_cast<int>(packed.shape.size()));
    packed.shape.push_back(extent);
    at.push_back(index);
  };
  const auto add_axis = [&](int axis) {
    const Dim& extent = axes[static_cast<size_t>(axis)].extent;
    add(extent, Index::axis(axis, extent));
  };
  const Dim lanes = lane < 0 ? Dim(1) : axes[static_cast<size_t>(lane)].extent;
  const Index at_lane = lane < 0 ? Index(0) : Index::axis(lane, lanes);
  for (const int axis : contraction.schedule.batch) add_axis(axis);
  add(ceildiv(lanes, width), floordiv(at_lane, width));
  for (const int axis : contraction.schedule.k) add_axis(axis);
  add(width, mod(at_lane, width));
  factor.prepacked = static_cast<ValueId>(values.size());
  factor.element = Expr::load(factor.prepacked, type, std::move(at));
  values.push_back(std::move(packed));
}

int64_t pack_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, Type type) {
  if (!factor.is_prepacked) return 0;
  // Panels of fp16 are as small.
  const bool compact = factor.compact > 0 && type == Type::f32;
  factor.compact = compact ? factor.compact : 0;
  const int64_t bits =
      compact ? compact_factor(contraction, factor, lane, width, suffix, values) : 0;
  if (bits == 0) prepack_factor(contraction, factor, lane, width, suffix, values, type);
  return bits;
}

void flatten_depth(Value& panels, size_t batch) {
  std::vector<Dim>& shape = panels.shape;
  const auto first = shape.begin() + static_cast<std::ptrdiff_t>(batch) + 1;
  Dim depth = 1;
  for (auto one = first; one + 1 != shape.end(); ++one) depth *= *one;
  shape.insert(shape.erase(first, shape.end() - 1), depth);
  panels.layout.order.resize(shape.size());
}

Expr panel_element(ValueId panels, const std::vector<Value>& values, std::vector<Index> batch,
                   const Index& depth, const Index& lane, int width) {
  batch.insert(batch.end(), {floordiv(lane, width), depth, mod(lane, width)});
  return Expr::load(panels, values[static_cast<size_t>(panels)].type, std::move(batch));
}

}  // namespace burin

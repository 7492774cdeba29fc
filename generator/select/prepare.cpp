#include "select/prepare.h"

#include "select/compact.h"

namespace burin {

void prepare_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, Type type) {
  Value packed;
  packed.name = contraction.kernel.name + suffix;
  packed.type = type;
  packed.kind = ValueKind::constant;
  packed.constant = pack_constant(contraction, factor, lane, width, values, type);
  const std::vector<Axis>& axes = contraction.kernel.axes;
  std::vector<Index> at;
  const auto add = [&](int axis) {
    const Dim extent = axis < 0 ? Dim(1) : axes[static_cast<size_t>(axis)].extent;
    packed.layout.order.push_back(static_cast<int>(packed.shape.size()));
    packed.shape.push_back(extent);
    at.push_back(axis < 0 ? Index(0) : Index::axis(axis, extent));
  };
  for (const int axis : contraction.schedule.batch) add(axis);
  packed.layout.blocks = {{static_cast<int>(packed.shape.size()), width}};
  add(lane);
  for (const int axis : contraction.schedule.k) add(axis);
  factor.prepared = static_cast<ValueId>(values.size());
  factor.element = Expr::load(factor.prepared, type, std::move(at));
  values.push_back(std::move(packed));
}

int64_t pack_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, Type type) {
  if (!factor.ahead) return 0;
  // Panels of halves are as small.
  const bool compact = factor.compact > 0 && type == Type::f32;
  factor.compact = compact ? factor.compact : 0;
  const int64_t bits =
      compact ? compact_factor(contraction, factor, lane, width, suffix, values) : 0;
  if (bits == 0) prepare_factor(contraction, factor, lane, width, suffix, values, type);
  return bits;
}

}  // namespace burin

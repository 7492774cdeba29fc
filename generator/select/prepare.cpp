#include "select/prepare.h"

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

}  // namespace burin

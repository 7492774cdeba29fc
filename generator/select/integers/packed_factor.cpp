#include "select/integers/packed_factor.h"

#include "isa/dot_rows.h"
#include "kernel/tensor.h"
#include "support/at.h"

namespace burin {

PackedFactor pack_factor(const FactorNumbers& numbers, const IntegerPlan& plan,
                         const PackedLanes& lanes, const PackedDepth& depth, int32_t offset,
                         Type type) {
  PanelShape shape;
  shape.outers = depth.outers;
  shape.lanes = lanes.axes;
  shape.depths = depth.reduced;
  shape.grouped = depth.grouped;
  shape.width = lanes.width;
  shape.group = plan.group * lanes.together;
  shape.begins = lanes.begins;
  // A lane without a depth is one group.
  if (depth.reduced > 0)
    shape.groups = plan.kernel.axes[at(plan.k.back())].extent.constant() / lanes.together;
  PackedFactor out;
  out.panels = pack_panels(numbers, shape, offset, type);
  const auto extent = [&](int axis) { return plan.kernel.axes[at(axis)].extent; };
  const auto axis = [&](int number) { return Index::axis(number, extent(number)); };
  std::vector<Index> place;
  for (size_t d = 0; d < plan.batch.size(); ++d) {
    place.push_back(axis(plan.batch[d]));
    out.sums.shape.push_back(out.panels.shape[d]);
  }
  out.sums.place = place;
  const Index at_lane = lanes.axis < 0 ? Index(0) : axis(lanes.axis);
  place.push_back(floordiv(at_lane, lanes.width));
  for (const int one : plan.k) place.push_back(axis(one));
  Index within = axis(plan.within);
  if (lanes.together > 1) {
    within += mod(place.back(), lanes.together) * plan.group;
    place.back() = floordiv(place.back(), lanes.together);
  }
  place.push_back(mod(at_lane, lanes.width));
  place.push_back(within);
  out.body = [=](ValueId panels) {
    const Expr element = Expr::load(panels, type, place);
    return Expr::cast(isa::sum_type(element.type()), element);
  };
  out.sums.place.push_back(at_lane);
  out.sums.shape.push_back(lanes.axis < 0 ? 1 : extent(lanes.axis).constant());
  out.sums.bytes = out.panels.sums;
  return out;
}

Constant group_bytes(Type type, int group, int64_t number) {
  std::vector<std::byte> bytes(static_cast<size_t>(size_bytes(type, group)));
  for (int q = 0; q < group; ++q) store_function(type)(bytes.data(), q, {0, number});
  return make_constant(std::move(bytes));
}

}  // namespace burin

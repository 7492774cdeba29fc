#include "select/integers/repacked_panels.h"

#include <algorithm>

#include "support/at.h"

namespace burin {
namespace {

void find_repacked(IntegerPlan& plan, const IntegerSum& sum, const PackedNumbers& packed,
                   int grouped, const std::vector<Value>& values) {
  if (packed.own.size() != 1 || packed.lane < 0) return;
  // The sum as it was found, before one of its axes was cut.
  Kernel before = sum.kernel;
  before.axes[at(grouped)].extent = plan.places;
  const auto of = [&](int axis) { return Index::axis(axis, before.axes[at(axis)].extent); };
  std::vector<Index> axes(plan.kernel.axes.size());
  for (size_t i = 0; i < plan.batch.size(); ++i) axes[at(plan.batch[i])] = of(sum.batch[i]);
  axes[at(packed.lane)] = of(packed.own[0]);
  size_t next = 0;
  for (const int one : sum.reduced) {
    if (one != grouped) axes[at(plan.k[next++])] = of(one);
  }
  axes[at(plan.k.back())] = floordiv(of(grouped), plan.group);
  axes[at(plan.within)] = mod(of(grouped), plan.group);
  Expr number = substitute_axes(packed.body, axes);
  if (packed.offset != 0) number = number + Expr::constant(number.type(), packed.offset);
  std::ranges::move(repacked({{packed.factor.element, number}}, before, values),
                    std::back_inserter(plan.repacked));
}

}  // namespace

void read_repacked(IntegerPlan& plan, const std::vector<Expr*>& bodies, const IntegerSum& sum,
                   const std::vector<PackedNumbers>& packed, int grouped,
                   const std::vector<Value>& values) {
  for (const PackedNumbers& one : packed) find_repacked(plan, sum, one, grouped, values);
  const auto moved = [&](Expr& expr) { expr = over_panels(expr, plan.kernel, plan.repacked); };
  moved(plan.a.staged);
  moved(plan.b.staged);
  for (Expr* const body : bodies) moved(*body);
  read_panels(plan.kernel, plan.repacked);
}

}  // namespace burin

#include "select/products/in_place.h"

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"

namespace burin {
namespace {

// Of the first cache: rows that lie a multiple of this apart fall into so few of its sets.
constexpr int64_t kPartsOfCache = 16;
constexpr int64_t kWays = 8;

int64_t coefficient_of(const Index& address, int axis) {
  for (const Index::Term& term : address.terms()) {
    if (term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::axis &&
        term.atoms[0].axis_id() == axis)
      return term.coefficient;
  }
  return 0;
}

// Elements from one point of an axis to the next, at the hints of sizes.
int64_t step_along(const Index& address, int axis) {
  const auto at_point = [&](int64_t point) {
    return address.map_leaves([&](const Index& leaf) -> Index {
      if (leaf.kind() != IndexKind::axis) return leaf;
      return leaf.axis_id() == axis ? Index(point) : Index(0);
    });
  };
  return at_hints(at_point(1) - at_point(0));
}

// Bytes that lie apart by a multiple of this many share a few sets.
int64_t conflict_bytes(const Memory& memory) {
  return memory.caches.empty() ? 0 : memory.caches[0].size_bytes / kWays / kPartsOfCache;
}

}  // namespace

bool reads_in_place(const ContractionSchedule& schedule, const Kernel& kernel,
                    const std::vector<Value>& values, const Hardware& hardware,
                    const Given& given) {
  const Expr& element = schedule.b.element;
  if (schedule.b.is_prepacked || schedule.window || schedule.n < 0 || schedule.k.empty() ||
      !given.may("in place") || element.kind() != ExprKind::load || element->storage != Type::f32 ||
      element.type() != Type::f32)
    return false;
  const Value& tensor = values[static_cast<size_t>(element->id)];
  const Index place = address(tensor.layout, tensor.shape, element->at);
  if (place.has_data() || coefficient_of(place, schedule.n) != 1) return false;
  const Index rest =
      place - Index::axis(schedule.n, kernel.axes[static_cast<size_t>(schedule.n)].extent);
  if (rest.uses_axis(schedule.n)) return false;
  if (given.is_whole()) return true;
  const int64_t apart = 4 * step_along(place, schedule.k.back());
  const int64_t conflict = conflict_bytes(hardware.memory);
  return apart > 0 && (conflict <= 0 || apart % conflict != 0);
}

}  // namespace burin

#include "select/products/unpacked.h"

#include <algorithm>
#include <numeric>

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"
#include "select/tiles/short_code.h"

namespace burin {
namespace {

// Of a first cache whose ways are not said: its sets are those of a page.
constexpr int64_t kUsualWay = 4096;
// Rows that fall into a part of the sets this many times smaller than a block of columns would fill
// push each other out.
constexpr int64_t kShare = 4;

// Elements from one point of an axis to the next, at the hints of sizes.
int64_t column_step(const Index& address, int axis) {
  const auto at_point = [&](int64_t point) {
    return address.map_leaves([&](const Index& leaf) -> Index {
      if (leaf.kind() != IndexKind::axis) return leaf;
      return leaf.axis_id() == axis ? Index(point) : Index(0);
    });
  };
  return at_hints(at_point(1) - at_point(0));
}

// Whether rows that lie so many bytes apart, of which each has a piece of `bytes` in a block, share
// few sets of the first cache: they begin at multiples of what the distance and a way have in
// common.
bool share_sets(int64_t apart, int64_t bytes, const Memory& memory) {
  if (memory.caches.empty()) return false;
  const Cache& first = memory.caches[0];
  const int64_t way = first.ways > 0 ? first.size_bytes / first.ways : kUsualWay;
  const int64_t line = std::max(1, memory.cache_line_bytes);
  return std::gcd(apart, way) > kShare * ((bytes + line - 1) / line * line);
}

}  // namespace

bool reads_unpacked(const ContractionSchedule& schedule, const Kernel& kernel,
                    const std::vector<Value>& values, const Hardware& hardware,
                    const Given& given) {
  const Expr& element = schedule.b.element;
  if (schedule.b.is_prepacked || schedule.window || schedule.n < 0 || schedule.k.empty() ||
      !given.may("unpacked") || element.kind() != ExprKind::load || element->storage != Type::f32 ||
      element.type() != Type::f32)
    return false;
  const Value& tensor = values[static_cast<size_t>(element->id)];
  const Index place = address(tensor.layout, tensor.shape, element->at);
  // Neighbours along the columns lie side by side.
  const Index rest =
      place - Index::axis(schedule.n, kernel.axes[static_cast<size_t>(schedule.n)].extent);
  if (place.has_data() || rest.uses_axis(schedule.n)) return false;
  if (given.is_whole()) return true;
  const int64_t apart = 4 * column_step(place, schedule.k.back());
  return apart > 0 && !share_sets(apart, 4 * schedule.tile.columns(), hardware.memory);
}

bool overlaps_last_columns(const Contraction& contraction, const std::vector<Value>& values,
                           const Hardware& hardware) {
  const ContractionSchedule& schedule = contraction.schedule;
  const int64_t width = schedule.tile.columns();
  const std::optional<int64_t> columns = schedule.columns.as_constant();
  if (!short_code(hardware) || hardware.threads_max > 1 || !columns || *columns <= width ||
      *columns % width == 0 || schedule.row_epilogue || contraction.kernel.writes.size() != 1 ||
      contraction.kernel.writes[0].how != How::store)
    return false;
  // What else a result is made of may lie where the result goes.
  bool again = true;
  visit_distinct(schedule.value, [&](const ExprNode& part) {
    if (part.kind == ExprKind::load)
      again &= values[static_cast<size_t>(part.id)].kind == ValueKind::constant;
  });
  return again;
}

bool reads_row_in_place(const Contraction& contraction, const std::vector<Value>& values) {
  const ContractionSchedule& schedule = contraction.schedule;
  const Expr& element = schedule.a.element;
  if (schedule.a.is_prepacked || schedule.window || schedule.k.empty() ||
      !schedule.rows.is_constant(1) || schedule.tile.rows != 1 ||
      contraction.kernel.lets.size() != 1 || element.kind() != ExprKind::load ||
      element->storage != Type::f32 || element.type() != Type::f32)
    return false;
  const Value& tensor = values[static_cast<size_t>(element->id)];
  Index rest = address(tensor.layout, tensor.shape, element->at), depth = 0;
  for (const int axis : schedule.k) {
    const Dim& extent = contraction.kernel.axes[static_cast<size_t>(axis)].extent;
    depth = depth * extent + Index::axis(axis, extent);
  }
  rest -= depth;
  return !rest.has_data() && std::none_of(schedule.k.begin(), schedule.k.end(),
                                          [&](int axis) { return rest.uses_axis(axis); });
}

}  // namespace burin

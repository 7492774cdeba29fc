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
// Blocks of columns from which on packing rows once costs nothing that is seen, and points of the
// depth below which it costs as little (AVX2: 64 x 6144 of depth 1536 and 3136 x 384 of depth 96
// take 8 % less with panels, 128 x 3072 of depth 768 3 % more).
constexpr int64_t kMostColumnVectors = 512, kLeastRowPoints = 128;

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

// Elements from a row to the next; nullopt: not a number, or not one for all rows.
std::optional<int64_t> distance_of_rows(const Index& address, int rows, const Kernel& kernel) {
  if (rows < 0) return std::nullopt;
  const Index own = Index::axis(rows, kernel.axes[static_cast<size_t>(rows)].extent);
  const auto at_point = [&](int64_t point) {
    return address.map_leaves([&](const Index& leaf) -> Index {
      return leaf.kind() == IndexKind::axis && leaf.axis_id() == rows ? Index(point) : leaf;
    });
  };
  const std::optional<int64_t> step = (at_point(1) - at_point(0)).as_constant();
  return step && !(address - own * *step).uses_axis(rows) ? step : std::nullopt;
}

// Rows that a tile, or blocks of rows where all columns are few, read at a point of the depth.
int64_t rows_at_once(const ContractionSchedule& schedule) {
  int64_t blocks = 1;
  if (at_hints(schedule.columns) > schedule.tile.columns()) return schedule.tile.rows;
  for (const EdgeColumns& version : schedule.versions.columns)
    blocks = std::max(blocks, int64_t{version.blocks});
  return schedule.tile.rows * blocks;
}

// Whether a line of each of so many rows, which begin so many bytes apart, stays in the first cache
// beside panels that pass through it: those of a set leave it two ways.
bool fit_sets(int64_t apart, int64_t rows, const Memory& memory) {
  if (memory.caches.empty()) return true;
  const Cache& first = memory.caches[0];
  const int64_t ways = first.ways > 0 ? first.ways : first.size_bytes / kUsualWay;
  if (ways < 1) return false;
  const int64_t way = first.size_bytes / ways, line = std::max(1, memory.cache_line_bytes);
  const int64_t sets = std::max<int64_t>(1, way / std::max(line, std::gcd(apart, way)));
  return (rows + sets - 1) / sets <= ways - 2;
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

bool reads_rows_in_place(const Contraction& contraction, const std::vector<Value>& values,
                         const Hardware& hardware, const Given& given) {
  const ContractionSchedule& schedule = contraction.schedule;
  const Expr& element = schedule.a.element;
  if (schedule.a.is_prepacked || schedule.window || schedule.k.empty() ||
      contraction.kernel.lets.size() != 1 || element.kind() != ExprKind::load ||
      element->storage != Type::f32 || element.type() != Type::f32 || !given.may("unpacked rows"))
    return false;
  const Value& tensor = values[static_cast<size_t>(element->id)];
  Index rest = address(tensor.layout, tensor.shape, element->at), depth = 0;
  for (const int axis : schedule.k) {
    const Dim& extent = contraction.kernel.axes[static_cast<size_t>(axis)].extent;
    depth = depth * extent + Index::axis(axis, extent);
  }
  rest -= depth;
  if (rest.has_data() || std::any_of(schedule.k.begin(), schedule.k.end(),
                                     [&](int axis) { return rest.uses_axis(axis); }))
    return false;
  if (schedule.rows.is_constant(1) && schedule.tile.rows == 1) return true;
  const std::optional<int64_t> apart = distance_of_rows(rest, schedule.m, contraction.kernel);
  if (!apart || short_code(hardware)) return false;
  const bool repays =
      at_hints(schedule.depth) >= kLeastRowPoints &&
      at_hints(schedule.columns) <= kMostColumnVectors * std::max(1, schedule.tile.lanes);
  return given.is_whole() ||
         (repays && fit_sets(4 * *apart, rows_at_once(schedule), hardware.memory));
}

}  // namespace burin

#include "fuse/cascade/row_fusion.h"

#include <algorithm>
#include <set>

#include "fuse/access/products.h"
#include "fuse/cascade/cascade.h"
#include "fuse/cascade/outer_axis_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/sign_sums.h"

namespace burin {
namespace {

bool may_join(const Kernel& kernel, const std::vector<Value>& values) {
  return kernel.writes.size() == 1 &&
         std::none_of(kernel.lets.begin(), kernel.lets.end(), [&](const Let& let) {
           return is_contraction(let, values) || is_sum_of_signs(let);
         });
}

int producer_axis(const Fusible& fusible, int axis) {
  return static_cast<int>(std::find(fusible.axis.begin(), fusible.axis.end(), axis) -
                          fusible.axis.begin());
}

}  // namespace

std::optional<Kernel> fused_rows(const Kernel& producer, const Kernel& reader,
                                 const std::vector<Value>& values, int64_t recomputed_operations) {
  if (producer.lets.empty() || !may_join(producer, values) || !may_join(reader, values))
    return std::nullopt;
  const std::optional<Fusible> fusible = find_fusible(producer, reader);
  if (!fusible) return std::nullopt;
  std::set<int> rows;  // in the reader
  for (const Let& let : fusible->producer.lets) {
    for (const int axis : let.over) {
      const int moved = fusible->axis[static_cast<size_t>(axis)];
      if (moved < 0) return std::nullopt;
      rows.insert(moved);
    }
  }
  if (rows.empty()) return std::nullopt;
  const Write& write = fusible->reader.writes[0];
  const int inner = contiguous_axis(write, values);
  for (const int axis : rows) {
    if (!contains(write.over, axis)) return std::nullopt;
    for (const Let& let : fusible->reader.lets) {
      if (!contains(let.over, axis)) return std::nullopt;
    }
    // Across the rows results would not be written in the order of memory, unless loops are
    // vectorised along the outer axis.
    if (fusible->reader.lets.empty() && axis == inner &&
        !reads_along_outer_axis(fusible->producer, producer_axis(*fusible, axis), values))
      return std::nullopt;
  }
  return fused(*fusible, recomputed_operations, SharedAxes::any);
}

std::optional<Kernel> fused_factor(const Kernel& producer, const Kernel& product,
                                   const std::vector<Value>& values) {
  if (producer.lets.empty() || !may_join(producer, values) || product.lets.size() != 1 ||
      product.writes.size() != 1 || !is_contraction(product.lets[0], values) ||
      product.lets[0].accumulator[0] != Type::f32)
    return std::nullopt;
  const ValueId result = producer.writes[0].to;
  if (loads(product.writes[0].value, result)) return std::nullopt;
  for (const Let& let : producer.lets) {
    if (let.op == Combiner::none) continue;
    if (let.body.size() != 1 || let.accumulator[0] != Type::f32) return std::nullopt;
  }
  const std::optional<Fusible> fusible = find_fusible(producer, product);
  if (!fusible) return std::nullopt;
  const Let& sum = fusible->reader.lets[0];
  const Expr& body = sum.body[0];
  const size_t factor = loads(body->operands[0], result) ? 0 : 1;
  const Expr& other = body->operands[1 - factor];
  if (!loads(body->operands[factor], result) || !is_constant(other, values)) return std::nullopt;
  // Rows are rows of the product; everything else that the producer writes is its depth.
  std::set<int> rows;
  for (const Let& let : fusible->producer.lets) {
    for (const int axis : let.reduced) {
      const int moved = fusible->axis[static_cast<size_t>(axis)];
      if (moved < 0 || !contains(sum.reduced, moved)) return std::nullopt;
    }
    if (let.op == Combiner::none) continue;
    for (const int axis : let.over) {
      const int moved = fusible->axis[static_cast<size_t>(axis)];
      if (moved < 0 || !contains(sum.over, moved)) return std::nullopt;
      rows.insert(moved);
    }
  }
  for (const int axis : fusible->axis) {
    if (axis >= 0 && !rows.contains(axis) && !contains(sum.reduced, axis)) return std::nullopt;
  }
  const int inner = contiguous_axis(fusible->reader.writes[0], values);
  const std::vector<int> in_other = axes_of(other);
  if (inner < 0 || !contains(in_other, inner) || rows.contains(inner)) return std::nullopt;
  const Kernel& reader = fusible->reader;
  if (points(reader, sum.over, in_other, false) < kLeastSize ||
      points(reader, sum.over, in_other, true) < kLeastSize ||
      points(reader, sum.reduced, sum.reduced, true) < kLeastSize)
    return std::nullopt;
  // Always a let: in loops without tiles it would be computed for every column.
  return fused(*fusible, -1);
}

namespace {

bool holds_all(const std::set<int>& wanted, const std::vector<int>& axes) {
  return std::all_of(wanted.begin(), wanted.end(), [&](int axis) { return contains(axes, axis); });
}

}  // namespace

std::optional<Kernel> fused_row_epilogue(const Kernel& producer, const Kernel& reader,
                                         const std::vector<Value>& values, const RowsRoom& room) {
  if (reader.lets.empty() || !may_join(reader, values) || only_product(producer, values) < 0)
    return std::nullopt;
  for (const Write& write : producer.writes) {
    if (write.how != How::store || !write.when.empty() ||
        (&write != &producer.writes[0] && write.to != producer.writes[0].to &&
         loads(reader, write.to)))
      return std::nullopt;
  }
  const std::optional<Fusible> fusible = find_fusible(producer, reader, true);
  if (!fusible) return std::nullopt;
  const int product = only_product(fusible->producer, values);
  if (product < 0) return std::nullopt;
  const Let& sum = fusible->producer.lets[static_cast<size_t>(product)];
  const Expr* packed = packed_factor(fusible->producer, sum, values);
  if (!packed) return std::nullopt;
  const Expr& other = sum.body[0]->operands[packed == &sum.body[0]->operands[0] ? 1 : 0];
  const std::vector<int> in_packed = axes_of(*packed), in_other = axes_of(other);
  const int inner = contiguous_axis(fusible->producer.writes[0], values);
  if (!contains(in_packed, inner) || contains(in_other, inner)) return std::nullopt;
  if (points(fusible->producer, sum.over, in_packed, false) < kLeastSize ||
      points(fusible->producer, sum.over, in_packed, true) < kLeastSize ||
      points(fusible->producer, sum.reduced, sum.reduced, true) < kLeastSize)
    return std::nullopt;
  // All columns of a row are its reductions' points; rows are what everything runs over.
  std::set<int> rows, columns;
  int64_t row_count = 1, row_bytes = 4;
  for (const int axis : sum.over) {
    const bool column = contains(in_packed, axis) && !contains(in_other, axis);
    const int64_t extent =
        std::max<int64_t>(1, at_hints(fusible->producer.axes[static_cast<size_t>(axis)].extent));
    (column ? columns : rows).insert(fusible->axis[static_cast<size_t>(axis)]);
    (column ? row_bytes : row_count) *= extent;
  }
  if (columns.contains(-1) || rows.contains(-1)) return std::nullopt;
  for (const Let& let : fusible->reader.lets) {
    if (!holds_all(rows, let.over)) return std::nullopt;
    if (let.op == Combiner::none) continue;
    if (let.over.size() != rows.size() || let.reduced.size() != columns.size() ||
        !holds_all(columns, let.reduced))
      return std::nullopt;
  }
  const std::vector<int>& written = fusible->reader.writes[0].over;
  if (!holds_all(rows, written) || written.size() > rows.size() + columns.size())
    return std::nullopt;
  if (room.bytes / row_bytes < std::min(row_count, room.least_rows)) return std::nullopt;
  // Always a let: it is where the tiles' results are.
  const size_t lets = producer.lets.size() + reader.lets.size();
  Kernel all = fused(*fusible, -1);
  return all.lets.size() == lets + 1 ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace burin

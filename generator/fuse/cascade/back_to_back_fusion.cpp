#include "fuse/cascade/back_to_back_fusion.h"

#include <algorithm>
#include <set>

#include "fuse/access/products.h"
#include "fuse/cascade/cascade.h"
#include "kernel/expr/expr_axes.h"

namespace burin {
namespace {

constexpr int64_t kMost = int64_t{1} << 40;

int64_t extent_at_hints(const Kernel& kernel, const std::vector<int>& axes) {
  int64_t count = 1;
  for (const int axis : axes) {
    const int64_t extent =
        std::max<int64_t>(1, at_hints(kernel.axes[static_cast<size_t>(axis)].extent));
    count = extent > kMost / count ? kMost : count * extent;
  }
  return count;
}

// The reader begins with a product, and loads the result as the factor that is no constant of it
// only.
bool reads_as_factor(const Kernel& reader, ValueId result, const std::vector<Value>& values) {
  if (only_product(reader, values) != 0) return false;
  const Expr& body = reader.lets[0].body[0];
  const size_t factor = loads(body->operands[0], result) ? 0 : 1;
  if (!loads(body->operands[factor], result) || !is_constant(body->operands[1 - factor], values))
    return false;
  Kernel rest = reader;
  rest.lets.erase(rest.lets.begin());
  return !loads(rest, result);
}

// Axes of a product: rows, columns (of its packed factor) and depth.
struct ProductShape {
  std::vector<int> rows, columns, depth;
};
std::optional<ProductShape> shape_of(const Kernel& kernel, const Let& sum,
                                     const std::vector<Value>& values) {
  const Expr* packed = packed_factor(kernel, sum, values);
  if (!packed) return std::nullopt;
  const Expr& other = sum.body[0]->operands[packed == &sum.body[0]->operands[0] ? 1 : 0];
  const std::vector<int> in_packed = axes_of(*packed), in_other = axes_of(other);
  ProductShape out;
  for (const int axis : sum.over) {
    if (contains(in_packed, axis) == contains(in_other, axis)) return std::nullopt;
    (contains(in_packed, axis) ? out.columns : out.rows).push_back(axis);
  }
  for (const int axis : sum.reduced) {
    if (!contains(in_packed, axis) || !contains(in_other, axis)) return std::nullopt;
  }
  out.depth = sum.reduced;
  for (const std::vector<int>* side : {&out.rows, &out.columns, &out.depth}) {
    if (extent_at_hints(kernel, *side) < kLeastSize) return std::nullopt;
  }
  return out;
}

// Whether rows share most of what they read, as those of a convolution of several taps do: by
// itself such a product stages it once (a window); rows of it are packed tap by tap.
bool rows_overlap(const Kernel& kernel, const Let& sum, const ProductShape& shape,
                  const std::vector<Value>& values) {
  constexpr int64_t kShared = 2;
  const Expr* packed = packed_factor(kernel, sum, values);
  const Expr& rows = sum.body[0]->operands[packed == &sum.body[0]->operands[0] ? 1 : 0];
  std::set<ValueId> tensors;
  visit(rows, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) tensors.insert(node.id);
  });
  int64_t stored = 0;
  for (const ValueId id : tensors) {
    const int64_t elements = at_hints(product(values[static_cast<size_t>(id)].shape));
    stored = std::max(stored, elements);
  }
  const int64_t each = extent_at_hints(kernel, shape.depth),
                count = extent_at_hints(kernel, shape.rows),
                read = count > kMost / each ? kMost : count * each;
  return stored > 0 && read / kShared >= stored;
}

std::set<int> moved(const std::vector<int>& axes, const Fusible& fusible) {
  std::set<int> out;
  for (const int axis : axes) out.insert(fusible.axis[static_cast<size_t>(axis)]);
  return out;
}

bool stores_once(const Kernel& kernel) {
  return kernel.writes.size() == 1 && kernel.writes[0].how == How::store &&
         kernel.writes[0].when.empty();
}

}  // namespace

int64_t rows_back_to_back(int64_t rows, int64_t between, int64_t depth, int64_t constant_bytes,
                          const BackToBackRoom& room) {
  const int64_t fit = room.bytes / (4 * (between + depth));
  const int64_t least = constant_bytes <= room.cached_bytes ? room.least_rows : room.distant_rows;
  return fit < std::min(rows, least) ? 0 : std::min(rows, fit);
}

std::optional<Kernel> fused_back_to_back(const Kernel& producer, const Kernel& reader,
                                         const std::vector<Value>& values,
                                         const BackToBackRoom& room) {
  if (!stores_once(producer) || producer.lets.empty() || reader.lets.empty()) return std::nullopt;
  const ValueId result = producer.writes[0].to;
  if (only_product(producer, values) + 1 != static_cast<int>(producer.lets.size()) ||
      values[static_cast<size_t>(result)].type != Type::f32 ||
      !reads_as_factor(reader, result, values))
    return std::nullopt;
  const std::optional<Fusible> fusible = find_fusible(producer, reader);
  if (!fusible) return std::nullopt;
  const Let &first = fusible->producer.lets.back(), &second = fusible->reader.lets[0];
  const std::optional<ProductShape> one = shape_of(fusible->producer, first, values),
                                    two = shape_of(fusible->reader, second, values);
  if (!one || !two || rows_overlap(fusible->producer, first, *one, values)) return std::nullopt;
  if (moved(one->rows, *fusible) != std::set<int>(two->rows.begin(), two->rows.end()) ||
      moved(one->columns, *fusible) != std::set<int>(two->depth.begin(), two->depth.end()))
    return std::nullopt;
  // Tiles of both run along memory.
  if (!contains(two->columns, contiguous_axis(fusible->reader.writes[0], values)))
    return std::nullopt;
  for (const Write& write : fusible->reader.writes) {
    for (const int row : two->rows) {
      if (!contains(write.over, row)) return std::nullopt;
    }
  }
  const int64_t between = extent_at_hints(fusible->producer, one->columns),
                depth = extent_at_hints(fusible->producer, one->depth),
                columns = extent_at_hints(fusible->reader, two->columns);
  if (rows_back_to_back(extent_at_hints(fusible->reader, two->rows), between, depth,
                        4 * between * (depth + columns), room) == 0)
    return std::nullopt;
  // Always a let: the panels of the second product.
  Kernel all = fused(*fusible, -1);
  if (all.lets.size() != producer.lets.size() + reader.lets.size() + 1) return std::nullopt;
  return all;
}

}  // namespace burin

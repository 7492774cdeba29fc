#include "fuse/movement/epilogue.h"

#include "fuse/access/access.h"
#include "fuse/access/access_size.h"
#include "fuse/access/block_steps.h"
#include "kernel/rewrite_kernel.h"

namespace burin {

std::optional<Kernel> with_epilogue(const Kernel& producer, const Kernel& map, ValueId from,
                                    const std::vector<Value>& values, const FuseOptions& options) {
  const Write& write = producer.writes[0];
  if (write.how != How::store || !write.when.empty()) return std::nullopt;
  if (size_with(map, from, write.value) > options.most_nodes) return std::nullopt;
  const std::vector<std::vector<Index>> points = load_points(map, from);
  if (points.size() != 1) return std::nullopt;
  const auto axes = invert(map, points[0], values[static_cast<size_t>(from)].shape, write.at);
  if (!axes) return std::nullopt;
  const auto on_expr = [&](const Expr& expr) -> Expr {
    return expr.kind() == ExprKind::load && expr->id == from ? write.value : expr;
  };
  const auto on_leaf = [&](const Index& leaf) -> Index {
    return leaf.kind() == IndexKind::axis ? (*axes)[static_cast<size_t>(leaf.axis_id())] : leaf;
  };
  Kernel out = producer;
  Write& fused = out.writes[0];
  fused.to = map.writes[0].to;
  // What the map loads elsewhere moves to the producer's axes; what it loaded from the producer
  // is the value.
  const Expr moved = rewrite(
      map.writes[0].value, [&](const Expr& expr) { return expr; }, on_leaf);
  fused.value = rewrite(moved, on_expr, [](const Index& leaf) { return leaf; });
  fused.at.clear();
  for (const Index& index : map.writes[0].at) fused.at.push_back(rewrite(index, on_expr, on_leaf));
  merge_origins(out, map, false);
  return out;
}

}  // namespace burin

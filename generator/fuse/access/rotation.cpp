#include "fuse/access/rotation.h"

#include <algorithm>

#include "fuse/access/access.h"

namespace burin {
namespace {

std::vector<Index> axes_of_let(const Kernel& kernel, const Let& let) {
  std::vector<Index> at;
  for (const int axis : let.over)
    at.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
  return at;
}

template <class Visit>
void for_each_value(Kernel& kernel, const Visit& on_expr) {
  for (Let& let : kernel.lets) std::for_each(let.body.begin(), let.body.end(), on_expr);
  for (Write& write : kernel.writes) on_expr(write.value);
}

// Whether every reference to a let is at its own point.
bool refers_to_own_points(Kernel& kernel) {
  bool own = true;
  for_each_value(kernel, [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      own = own && (node.kind != ExprKind::let ||
                    node.at == axes_of_let(kernel, kernel.lets[static_cast<size_t>(node.id)]));
    });
  });
  return own;
}

struct Rotation {
  std::vector<Index> axes;  // of the producer, as functions of the new ones
  std::vector<Index> read;  // where the reader loads the result, in the new order
};

std::optional<Rotation> rotation_of(const Kernel& producer, const Kernel& reader) {
  const Write& write = producer.writes[0];
  const std::vector<std::vector<Index>> loads = load_points(reader, write.to);
  if (loads.size() != 1) return std::nullopt;
  Rotation out{{}, loads[0]};
  for (size_t a = 0; a < producer.axes.size(); ++a)
    out.axes.push_back(Index::axis(static_cast<int>(a), producer.axes[a].extent));
  bool any = false;
  for (size_t d = 0; d < write.at.size(); ++d) {
    Index& read = out.read[d];
    const Index& made = write.at[d];
    if (read.kind() != IndexKind::mod || made.kind() != IndexKind::axis) continue;
    const Index size = read.operands()[1], shift = read.operands()[0].constant_term();
    const Index from_first = read.operands()[0] - shift;
    if (shift.is_constant(0) || made.axis_extent() != size || !proven_nonnegative(from_first) ||
        !proven_lt(from_first, size))
      continue;
    out.axes[static_cast<size_t>(made.axis_id())] = mod(made + shift, size);
    read = from_first;
    any = true;
  }
  return any ? std::optional(out) : std::nullopt;
}

}  // namespace

void unrotate(Kernel& producer, Kernel& reader) {
  const std::optional<Rotation> rotation = rotation_of(producer, reader);
  if (!rotation || !refers_to_own_points(producer)) return;
  for_each_value(producer, [&](Expr& expr) {
    const auto on_expr = [&](const Expr& one) -> Expr {
      if (one.kind() != ExprKind::let) return one;
      // The let is in the new order as well.
      const Let& let = producer.lets[static_cast<size_t>(one->id)];
      return Expr::let(one->id, one.type(), axes_of_let(producer, let), one->component);
    };
    expr = rewrite(expr, on_expr, [&](const Index& leaf) -> Index {
      return leaf.kind() == IndexKind::axis ? rotation->axes[static_cast<size_t>(leaf.axis_id())]
                                            : leaf;
    });
  });
  const ValueId result = producer.writes[0].to;
  for_each_value(reader, [&](Expr& expr) {
    expr = rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          return one.kind() == ExprKind::load && one->id == result
                     ? Expr::load(result, one->storage, rotation->read)
                     : one;
        },
        [](const Index& leaf) { return leaf; });
  });
}

}  // namespace burin

#include "select/programs/tile_values.h"

#include <algorithm>
#include <functional>

#include "kernel/expr/expr_axes.h"
#include "loops/lanewise.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin {
namespace {

class Parts {
 public:
  Parts(int sum, const std::vector<int>& columns) : sum_(sum), columns_(columns) {}

  // The largest part that is made of the sum alone; none where parts beside each other are.
  Expr largest(const Expr& value) const {
    if (is_closed(value)) return value;
    Expr inside;
    for (const Expr& operand : value->operands) {
      if (!reads_sum(operand)) continue;
      if (inside) return {};
      inside = operand;
    }
    return inside && value.kind() != ExprKind::cases ? largest(inside) : Expr();
  }

 private:
  bool reads_sum(const Expr& value) const {
    bool found = false;
    visit(value, [&](const ExprNode& node) {
      found = found || (node.kind == ExprKind::let && node.id == sum_);
    });
    return found;
  }

  bool is_closed(const Expr& value) const {
    switch (value.kind()) {
      case ExprKind::let:
        return value->id == sum_;
      case ExprKind::cases:
        return false;
      case ExprKind::load:
      case ExprKind::index: {
        const std::vector<int> axes = axes_of(value);
        return std::none_of(axes.begin(), axes.end(), [&](int axis) {
          return std::find(columns_.begin(), columns_.end(), axis) != columns_.end();
        });
      }
      default:
        return std::all_of(value->operands.begin(), value->operands.end(),
                           [&](const Expr& operand) { return is_closed(operand); });
    }
  }

  const int sum_;
  const std::vector<int>& columns_;
};

// With every part that is the same as `part` as a read of the sum.
Expr with_sum(const Expr& value, const Expr& part, const Expr& sum) {
  return rewrite(
      value, [&](const Expr& expr) { return expr == part ? sum : expr; },
      [](const Index& leaf) { return leaf; });
}

Expr read_of(const Expr& value, int sum) {
  Expr found;
  const std::function<void(const Expr&)> walk = [&](const Expr& expr) {
    if (found) return;
    if (expr.kind() == ExprKind::let && expr->id == sum) found = expr;
    for (const Expr& operand : expr->operands) walk(operand);
  };
  walk(value);
  return found;
}

}  // namespace

bool calls_function(const Expr& value) {
  bool found = false;
  visit(value, [&](const ExprNode& node) {
    found = found || (node.kind == ExprKind::unary && loops::is_lane_function(node.unary()));
  });
  return found;
}

std::optional<ValueOfSum> value_of_sum(const Expr& value, int sum, const std::vector<int>& columns,
                                       Least least) {
  const auto enough = [&](const Expr& part) {
    return least == Least::any ? part.kind() != ExprKind::let : calls_function(part);
  };
  if (!enough(value)) return std::nullopt;
  const Expr made = Parts(sum, columns).largest(value);
  if (!made || made.type() != Type::f32 || !enough(made)) return std::nullopt;
  return ValueOfSum{made, with_sum(value, made, read_of(made, sum))};
}

std::optional<loops::Stmts> in_vectors_of(
    Making& making, const TileShape& shape, const Index& rows,
    const std::function<loops::Stmts(const Index& row, const Index& column)>& stores) {
  const int row = making.shared_variable("tile_row", shape.rows),
            vector = making.shared_variable("vector", shape.vectors),
            lane = making.shared_variable("lane", shape.lanes);
  const Index in_rows = shape.rows > 1 ? making.at(row) : Index(0);
  const Index start = shape.vectors > 1 ? making.at(vector) * shape.lanes : Index(0);
  loops::Stmts out = stores(in_rows, start + making.at(lane));
  for (const loops::Stmt& stmt : out) {
    const auto* one = std::get_if<loops::Store>(&stmt.node);
    if (one == nullptr || !loops::not_lanewise(making.program(), *one, lane).empty())
      return std::nullopt;
  }
  out = {loop(lane, 0, shape.lanes, std::move(out), loops::Kind::vector)};
  if (shape.vectors > 1)
    out = {loop(vector, 0, shape.vectors, std::move(out), loops::Kind::unrolled)};
  if (shape.rows > 1) out = {loop(row, 0, rows, std::move(out))};
  return out;
}

Expr made_in_place(Making& making, const Expr& value, int sum, const std::vector<int>& columns,
                   const TileInArray& tile, loops::Stmts& out, Least least) {
  const std::optional<ValueOfSum> of_sum = value_of_sum(value, sum, columns, least);
  if (!of_sum) return value;
  std::optional<loops::Stmts> stores =
      in_vectors_of(making, tile.shape, tile.rows, [&](const Index& row, const Index& column) {
        making.read_let_from(sum, [&](int, int, const std::vector<Index>&) {
          return making.element(tile.array, Type::f32, {row, column});
        });
        loops::Stmts one{store(tile.array, {row, column}, making.buffers().expr(of_sum->made))};
        making.read_let_from_its_place(sum);
        return tile.m < 0 ? one : loops::substitute(one, tile.m, tile.first + row);
      });
  if (!stores) return value;
  append(out, std::move(*stores));
  return of_sum->rest;
}

}  // namespace burin

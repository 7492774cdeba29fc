#include "loops/footprint.h"

#include <algorithm>

#include "loops/walk.h"

namespace burin::loops {
namespace {

// Every place at which `buffer` is touched; false: a call has it, too.
bool collect(const Stmts& stmts, BufferId buffer, std::vector<std::vector<Index>>& places) {
  bool whole = true;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind == ExprKind::load && node.id == buffer) places.push_back(node.at);
  };
  for_each(stmts, [&](const Stmt& stmt) {
    for_each_index(stmt, [&](const Index& index) { visit(index, on_node); });
    for_each_expr(stmt, [&](const Expr& expr) { visit(expr, on_node); });
    if (const auto* store = std::get_if<Store>(&stmt.node)) {
      if (std::count(store->to.begin(), store->to.end(), buffer) > 0) places.push_back(store->at);
    } else if (const auto* call = std::get_if<Call>(&stmt.node)) {
      for (const Region& region : call->operands) whole = whole && region.buffer != buffer;
    }
  });
  return whole;
}

Index at_zero(const Index& index, const std::set<int>& vars) {
  return index.map_leaves([&](const Index& leaf) {
    return leaf.kind() == IndexKind::axis && vars.contains(leaf.axis_id()) ? Index(0) : leaf;
  });
}

}  // namespace

std::set<int> variables_in(const Stmts& stmts) {
  std::set<int> out;
  for_each(stmts, [&](const Stmt& stmt) {
    if (const auto* loop = std::get_if<For>(&stmt.node)) {
      out.insert(loop->var);
    } else if (const auto* let = std::get_if<Let>(&stmt.node)) {
      out.insert(let->var);
    }
  });
  return out;
}

std::optional<Footprint> footprint(const Stmts& stmts, BufferId buffer) {
  std::vector<std::vector<Index>> places;
  if (!collect(stmts, buffer, places) || places.empty()) return std::nullopt;
  const std::set<int> inner = variables_in(stmts);
  Footprint out;
  for (size_t d = 0; d < places[0].size(); ++d) {
    // Where the box begins: the place at which all inner variables are zero. Of several accesses
    // the first in order; distances from it are numbers, which may be negative.
    const Index origin = at_zero(places[0][d], inner);
    Range reach{0, 0};
    for (const std::vector<Index>& at : places) {
      const Index distance = at[d] - origin;
      const Range range = distance.range();
      if (distance.has_data() || !range.bounded()) return std::nullopt;
      reach = {std::min(reach.lo, range.lo), std::max(reach.hi, range.hi)};
    }
    out.first.push_back(origin + reach.lo);
    out.extent.push_back(reach.hi - reach.lo + 1);
  }
  return out;
}

Stmts redirect(const Stmts& stmts, BufferId buffer, BufferId other,
               const std::function<std::vector<Index>(const std::vector<Index>& at)>& place) {
  const auto on_leaf = [](const Index& leaf) { return leaf; };
  const auto on_node = [&](const Expr& node) {
    if (node.kind() != ExprKind::load || node->id != buffer) return node;
    return node.type() == Type::f16 ? Expr::fp16_load(other, place(node->at))
                                    : Expr::load(other, node->storage, place(node->at));
  };
  const auto on_index = [&](const Index& index) { return burin::rewrite(index, on_node, on_leaf); };
  const auto on_expr = [&](const Expr& expr) { return burin::rewrite(expr, on_node, on_leaf); };
  return rewrite(stmts, [&](Stmt stmt) {
    stmt = map(std::move(stmt), on_index, on_expr);
    auto* store = std::get_if<Store>(&stmt.node);
    if (store && std::count(store->to.begin(), store->to.end(), buffer) > 0) {
      std::replace(store->to.begin(), store->to.end(), buffer, other);
      store->at = place(store->at);
    }
    if (auto* call = std::get_if<Call>(&stmt.node)) {
      for (Region& region : call->operands) {
        if (region.buffer != buffer) continue;
        region.buffer = other;
        region.first = place(region.first);
        region.extent.insert(region.extent.begin(), region.first.size() - region.extent.size(), 1);
      }
    }
    return Stmts{std::move(stmt)};
  });
}

}  // namespace burin::loops

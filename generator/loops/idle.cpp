#include "loops/idle.h"

#include <algorithm>

#include "loops/lanewise.h"
#include "loops/walk.h"

namespace burin::loops {
namespace {

bool reads(const Stmts& stmts, int var) {
  bool found = false;
  for_each(stmts, [&](const Stmt& stmt) {
    for_each_index(stmt, [&](const Index& one) { found = found || one.uses_axis(var); });
    for_each_expr(stmt, [&](const Expr& one) { found = found || moves_with(one, var); });
  });
  return found;
}

Stmts without(const Stmts& stmts, const std::vector<int>& kept) {
  Stmts out;  // backwards
  for (size_t k = stmts.size(); k-- > 0;) {
    Stmt stmt = stmts[k];
    if (auto* loop = std::get_if<For>(&stmt.node)) {
      loop->body = without(loop->body, {loop->part_end});
    } else if (auto* branch = std::get_if<If>(&stmt.node)) {
      branch->then = without(branch->then, {});
      branch->otherwise = without(branch->otherwise, {});
    } else if (const auto* let = std::get_if<Let>(&stmt.node)) {
      const bool stays = std::find(kept.begin(), kept.end(), let->var) != kept.end();
      if (!stays && !reads(out, let->var)) continue;
    }
    out.push_back(std::move(stmt));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

Stmts without_idle_lets(const Stmts& stmts) { return without(stmts, {}); }

Stmts without_idle_loops(const Stmts& stmts) {
  return rewrite(stmts, [](Stmt stmt) -> Stmts {
    auto* loop = std::get_if<For>(&stmt.node);
    const bool in_line = loop != nullptr && loop->part_end < 0 &&
                         (loop->kind == Kind::serial || loop->kind == Kind::unrolled);
    if (!in_line) return {std::move(stmt)};
    if (loop->body.empty() || proven_le(loop->end, loop->begin)) return {};
    const Index turns = loop->end - loop->begin;
    if (!turns.is_constant() || turns.constant() > loop->step) return {std::move(stmt)};
    // What is named or allocated inside is gone at its end.
    const bool declares = std::any_of(loop->body.begin(), loop->body.end(), [](const Stmt& one) {
      return std::holds_alternative<Let>(one.node) || std::holds_alternative<Alloc>(one.node) ||
             std::holds_alternative<Name>(one.node);
    });
    if (declares) return {std::move(stmt)};
    return substitute(loop->body, loop->var, loop->begin);
  });
}

}  // namespace burin::loops

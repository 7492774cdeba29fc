#include "loops/idle.h"

#include <algorithm>
#include <optional>

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

bool is_in_line(const For& loop) {
  return loop.part_end < 0 && (loop.kind == Kind::serial || loop.kind == Kind::unrolled);
}

bool declares(const Stmts& stmts) {
  return std::any_of(stmts.begin(), stmts.end(), [](const Stmt& one) {
    return std::holds_alternative<Let>(one.node) || std::holds_alternative<Alloc>(one.node) ||
           std::holds_alternative<Name>(one.node);
  });
}

bool always_holds(const Guard& guard) {
  return std::all_of(guard.begin(), guard.end(), [](const Condition& one) {
    return proven_le(one.lo, one.index) && proven_lt(one.index, one.hi);
  });
}

bool never_holds(const Guard& guard) {
  return std::any_of(guard.begin(), guard.end(), [](const Condition& one) {
    return proven_lt(one.index, one.lo) || proven_le(one.hi, one.index);
  });
}

// Of a loop of one turn, and of a branch that is settled, what runs.
std::optional<Stmts> what_runs(const Stmt& stmt) {
  if (const auto* loop = std::get_if<For>(&stmt.node)) {
    const Index turns = loop->end - loop->begin;
    const bool one = is_in_line(*loop) && turns.is_constant() && turns.constant() > 0 &&
                     turns.constant() <= loop->step;
    return one ? std::optional(substitute(loop->body, loop->var, loop->begin)) : std::nullopt;
  }
  if (const auto* branch = std::get_if<If>(&stmt.node)) {
    if (always_holds(branch->when)) return branch->then;
    if (never_holds(branch->when)) return branch->otherwise;
  }
  return std::nullopt;
}

// A block of which such a one is all is what runs in it.
Stmts unwrapped(Stmts block) {
  while (block.size() == 1) {
    std::optional<Stmts> inside = what_runs(block[0]);
    if (!inside) break;
    block = *std::move(inside);
  }
  return block;
}

}  // namespace

Stmts without_idle_lets(const Stmts& stmts) { return without(stmts, {}); }

Stmts without_idle_loops(const Stmts& stmts) {
  return unwrapped(rewrite(stmts, [](Stmt stmt) -> Stmts {
    if (auto* loop = std::get_if<For>(&stmt.node)) {
      if (is_in_line(*loop) && (loop->body.empty() || proven_le(loop->end, loop->begin))) return {};
      loop->body = unwrapped(std::move(loop->body));
    } else if (auto* branch = std::get_if<If>(&stmt.node)) {
      branch->then = unwrapped(std::move(branch->then));
      branch->otherwise = unwrapped(std::move(branch->otherwise));
    }
    std::optional<Stmts> inside = what_runs(stmt);
    // What is named or allocated inside is gone at its end.
    if (!inside || declares(*inside)) return {std::move(stmt)};
    return *std::move(inside);
  }));
}

Program without_idle_locals(Program program) {
  while (true) {
    const std::vector<BufferId> read = reads_of(program.body);
    const auto is_idle = [&](BufferId buffer) {
      return program.buffers[static_cast<size_t>(buffer)].scope == Scope::local &&
             std::find(read.begin(), read.end(), buffer) == read.end();
    };
    bool changed = false;
    Stmts body = rewrite(program.body, [&](Stmt stmt) -> Stmts {
      const auto* alloc = std::get_if<Alloc>(&stmt.node);
      const auto* store = std::get_if<Store>(&stmt.node);
      const bool goes = (alloc && is_idle(alloc->buffer)) ||
                        (store && std::all_of(store->to.begin(), store->to.end(), is_idle));
      changed = changed || goes;
      return goes ? Stmts() : Stmts{std::move(stmt)};
    });
    if (!changed) return program;
    program.body = without_idle_loops(body);
  }
}

}  // namespace burin::loops

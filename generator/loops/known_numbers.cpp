#include "loops/known_numbers.h"

#include <algorithm>
#include <map>
#include <optional>

#include "loops/idle.h"
#include "loops/walk.h"

namespace burin::loops {
namespace {

// Variables as what their loops give them: begin + step * turn.
using Points = std::map<int, Index>;

// Threads begin their parts anywhere.
std::optional<Index> points_of(const For& loop) {
  if (loop.step == 1 || loop.kind == Kind::thread || !loop.begin.is_constant() ||
      !loop.end.is_constant() || loop.end.constant() <= loop.begin.constant())
    return std::nullopt;
  const int64_t turns = (loop.end.constant() - loop.begin.constant() - 1) / loop.step + 1;
  return loop.begin + loop.step * Index::axis(loop.var, turns);
}

Guard at_points(Guard guard, const Points& points) {
  for (const auto& [var, value] : points) {
    for (Condition& one : guard) {
      for (Index* index : {&one.index, &one.lo, &one.hi}) *index = with_var(*index, var, value);
    }
  }
  return guard;
}

// A branch that is settled has no condition, and one other block at most.
void settle(If& branch, const Points& points) {
  const Guard at = at_points(branch.when, points);
  const bool never = never_holds(at);
  if (!never && !always_holds(at)) return;
  if (never) branch.then = std::move(branch.otherwise);
  branch.when = {};
  branch.otherwise = {};
}

Stmts known(Stmts stmts, const Points& points, int kept) {
  Stmts out;
  while (!stmts.empty()) {
    Stmt stmt = std::move(stmts.front());
    stmts.erase(stmts.begin());
    const auto* let = std::get_if<Let>(&stmt.node);
    if (let && let->value.is_constant() && let->var != kept) {
      stmts = substitute(stmts, let->var, let->value);
      continue;
    }
    if (auto* loop = std::get_if<For>(&stmt.node)) {
      Points inside = points;
      inside.erase(loop->var);
      if (const std::optional<Index> value = points_of(*loop)) inside.emplace(loop->var, *value);
      loop->body = known(std::move(loop->body), inside, loop->part_end);
    } else if (auto* branch = std::get_if<If>(&stmt.node)) {
      settle(*branch, points);
      branch->then = known(std::move(branch->then), points, -1);
      branch->otherwise = known(std::move(branch->otherwise), points, -1);
    }
    out.push_back(std::move(stmt));
  }
  return out;
}

}  // namespace

Stmts with_known_numbers(const Stmts& stmts) { return known(stmts, {}, -1); }

}  // namespace burin::loops

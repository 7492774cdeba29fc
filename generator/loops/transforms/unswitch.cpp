#include "loops/transforms/unswitch.h"

#include <algorithm>

#include "loops/walk.h"

namespace burin::loops {
namespace {

bool moves(const Guard& guard, int var) {
  return std::any_of(guard.begin(), guard.end(), [&](const Condition& one) {
    const auto does = [&](const Index& index) { return index.uses_axis(var) || index.has_data(); };
    return does(one.index) || does(one.lo) || does(one.hi);
  });
}

}  // namespace

const Guard* common_guard(const Stmts& body, int var) {
  const Guard* out = nullptr;
  for (const Stmt& stmt : body) {
    const auto* branch = std::get_if<If>(&stmt.node);
    if (branch == nullptr || !branch->otherwise.empty() || moves(branch->when, var)) return nullptr;
    if (out != nullptr && !(*out == branch->when)) return nullptr;
    // Blocks become one: what one of them names would be named twice.
    const bool names = std::any_of(branch->then.begin(), branch->then.end(), [](const Stmt& one) {
      return std::holds_alternative<Alloc>(one.node) || std::holds_alternative<Let>(one.node) ||
             std::holds_alternative<Name>(one.node);
    });
    if (names && body.size() > 1) return nullptr;
    out = &branch->when;
  }
  return out;
}

Change unswitch(const Program& program, int var) {
  Change out{program, "unswitch " + var_text(var), {}};
  const For* loop = find_loop(program, var);
  const Guard* guard = loop != nullptr ? common_guard(loop->body, var) : nullptr;
  if (guard == nullptr) {
    out.refusal = "not all of " + var_text(var) + " stands under one condition";
    return out;
  }
  For bare = *loop;
  bare.body.clear();
  for (const Stmt& stmt : loop->body) append(bare.body, std::get<If>(stmt.node).then);
  out.program = with_loop(program, var, {Stmt{If{*guard, {Stmt{std::move(bare)}}, {}}}});
  return out;
}

}  // namespace burin::loops

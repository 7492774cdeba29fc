#include "loops/run/expand_items.h"

#include "loops/idle.h"
#include "loops/run/inward.h"
#include "loops/walk.h"

namespace burin::loops {
namespace {

bool has_barrier(const Stmts& stmts) {
  bool found = false;
  for_each(stmts,
           [&](const Stmt& stmt) { found = found || std::holds_alternative<Barrier>(stmt.node); });
  return found;
}

}  // namespace

Program expand_items(Program program) {
  if (!has_barrier(program.body)) return program;
  program.body = rewrite(program.body, [&](Stmt stmt) {
    const auto* loop = std::get_if<For>(&stmt.node);
    if (loop == nullptr || loop->kind != Kind::item || !has_barrier(loop->body))
      return Stmts{std::move(stmt)};
    return inward(program, *loop, [](const Stmt& one) {
      return !std::holds_alternative<Barrier>(one.node) && has_barrier({one});
    });
  });
  program.body = without_idle_lets(program.body);
  return program;
}

}  // namespace burin::loops

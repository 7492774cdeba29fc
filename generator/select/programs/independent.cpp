#include "select/programs/independent.h"

#include <algorithm>

#include "kernel/expr/expr_operands.h"
#include "kernel/index/index_limit.h"
#include "loops/lanewise.h"
#include "loops/transforms/bind.h"
#include "loops/transforms/distribute.h"
#include "loops/transforms/peel.h"
#include "loops/transforms/unswitch.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin {
namespace {

using loops::Kind;
using loops::Program;
using loops::Stmt;
using loops::Stmts;

bool calls_functions(const Stmts& body) {
  bool found = false;
  loops::for_each(body, [&](const Stmt& stmt) {
    loops::for_each_expr(stmt, [&](const Expr& whole) {
      visit(whole, [&](const ExprNode& node) {
        found = found || (node.kind == ExprKind::unary && is_function(node.unary()));
      });
    });
  });
  return found;
}

// Whether every element that is stored lies beside the one of the point before, and some of them in
// scratch.
bool stores_contiguously(const Program& program, const loops::For& loop) {
  bool scratch = false, all = true;
  loops::for_each(loop.body, [&](const Stmt& stmt) {
    const auto* store = std::get_if<loops::Store>(&stmt.node);
    all = all && !std::holds_alternative<loops::Call>(stmt.node);
    if (store == nullptr) return;
    for (const loops::BufferId to : store->to) {
      const loops::Scope scope = program.buffers[at(to)].scope;
      if (scope == loops::Scope::local) continue;
      scratch = scratch || scope == loops::Scope::scratch;
      all = all && store->combine == Combiner::none &&
            loops::stride_of(program, to, store->at, loop.var) == loops::Stride::one;
    }
  });
  return all && scratch;
}

// How many statements at the end stand under one condition of the whole loop.
size_t conditional_end(const Stmts& body, int var) {
  size_t count = 0;
  for (size_t k = body.size(); k-- > 0;) {
    const Stmts end(body.begin() + static_cast<std::ptrdiff_t>(k), body.end());
    if (loops::common_guard(end, var) == nullptr) break;
    count = body.size() - k;
  }
  return count;
}

int loops_of(const Program& program, int var) {
  int count = 0;
  loops::for_each(program.body, [&](const Stmt& stmt) {
    const auto* loop = std::get_if<loops::For>(&stmt.node);
    count += loop != nullptr && loop->var == var ? 1 : 0;
  });
  return count;
}

Program with_independent(Program program, int var) {
  loops::Change bound = loops::bind(program, var, Kind::independent);
  if (!bound.done()) return program;
  program = std::move(bound.program);
  while (const loops::For* loop = loops::find_loop(program, var)) {
    const size_t end = conditional_end(loop->body, var);
    if (end == 0 || end == loop->body.size()) break;
    const loops::Change apart = loops::distribute(program, var, loop->body.size() - end);
    if (!apart.done()) break;
    loops::Change around = loops::unswitch(apart.program, apart.vars[0]);
    program = around.done() ? std::move(around.program) : apart.program;
  }
  std::optional<loops::Change> peeled =
      within_index_limits([&] { return loops::peel(program, var); });
  // Margins would be more loops than they are worth here.
  if (peeled && peeled->done() && loops_of(peeled->program, var) <= 2)
    program = std::move(peeled->program);
  return program;
}

}  // namespace

Program with_independent_loops(Program program) {
  const std::vector<int> vars = loops::give_own_variables(program, [&](const loops::For& loop) {
    return loop.kind == Kind::serial && loop.step == 1 && !loops::has_loops(loop.body) &&
           stores_contiguously(program, loop) && calls_functions(loop.body);
  });
  for (const int var : vars) program = with_independent(std::move(program), var);
  return program;
}

}  // namespace burin

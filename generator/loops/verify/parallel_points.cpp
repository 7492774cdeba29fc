#include "loops/verify/parallel_points.h"

#include <algorithm>

#include "kernel/index/divisions.h"
#include "loops/footprint.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

bool touches_buffer(const Stmt& stmt, BufferId buffer) {
  return touched_by({stmt}).contains(buffer);
}

// The points of `found`, which stand for those of `loop`: whatever else is set in the loop, outside
// of them, and that they look at, may be anything.
For with_others(For found, const For& loop, const Program& program) {
  std::set<int> others = variables_in(loop.body);
  others.insert(loop.var);
  others.erase(found.var);
  for (const int inside : variables_in(found.body)) others.erase(inside);
  const auto uses = [&](const Stmts& stmts, int var) {
    bool found_it = false;
    const auto use = [&](const Index& index) { found_it = found_it || index.uses_axis(var); };
    for_each(stmts, [&](const Stmt& stmt) {
      for_each_index(stmt, use);
      for_each_expr(stmt, [&](const Expr& expr) { visit_indices(expr, use); });
    });
    return found_it;
  };
  const auto uses_other = [&](const Stmt& stmt) {
    return std::any_of(others.begin(), others.end(), [&](int one) { return uses({stmt}, one); });
  };
  // Numbers of the point itself stay in front.
  size_t own = 0;
  while (own < found.body.size() && !uses_other(found.body[own]) &&
         (std::holds_alternative<Let>(found.body[own].node) ||
          std::holds_alternative<Name>(found.body[own].node)))
    ++own;
  const auto first = found.body.begin() + static_cast<std::ptrdiff_t>(own);
  Stmts inside(first, found.body.end());
  for (const int other : others) {
    if (!uses(inside, other)) continue;
    inside = {
        {For{other, 0, program.vars[burin::at(other)].extent, 1, Kind::serial, std::move(inside)}}};
  }
  found.body.erase(first, found.body.end());
  append(found.body, std::move(inside));
  return found;
}

// Whether a condition, or where a loop begins or ends, looks at the buffer.
bool decides_by(const Stmt& stmt, BufferId buffer) {
  bool found = false;
  if (!std::holds_alternative<For>(stmt.node) && !std::holds_alternative<If>(stmt.node))
    return false;
  for_each_index(stmt, [&](const Index& index) {
    burin::visit(index, [&](const ExprNode& node) {
      found = found || (node.kind == ExprKind::load && node.id == buffer);
    });
  });
  return found;
}

// for p in var .. end step <points of the loop>
std::optional<For> as_strided(const For& inner, const For& loop, const Program& program) {
  const Dim points = loop.end - loop.begin;
  if (!(inner.begin == program.var(loop.var)) || !points.is_constant(inner.step))
    return std::nullopt;
  return For{inner.var, 0, inner.end, 1, loop.kind, inner.body};
}

// for turn { [if] { let p = var + turn * <points of the loop>; ... } }
std::optional<For> as_turns(const For& inner, const For& loop, const Program& program) {
  const Stmts* body = &inner.body;
  if (body->size() == 1) {
    const auto* branch = std::get_if<If>(&(*body)[0].node);
    if (branch != nullptr && branch->otherwise.empty()) body = &branch->then;
  }
  const auto first = std::find_if(body->begin(), body->end(), [](const Stmt& stmt) {
    return !std::holds_alternative<Name>(stmt.node);
  });
  const auto* let = first == body->end() ? nullptr : std::get_if<Let>(&first->node);
  const Dim points = loop.end - loop.begin;
  if (let == nullptr || !(let->value == program.var(loop.var) + program.var(inner.var) * points))
    return std::nullopt;
  return For{let->var, 0,         program.vars[burin::at(let->var)].extent,
             1,        loop.kind, Stmts(first + 1, body->end())};
}

}  // namespace

For over_digits(const For& loop, const Program& program) {
  std::vector<int> vars;
  Dim behind = 1;
  Index sum = 0;  // the variable by its digits
  size_t first = 0;
  for (; first < loop.body.size() && !(behind == loop.end); ++first) {
    if (std::holds_alternative<Name>(loop.body[first].node)) continue;
    const auto* let = std::get_if<Let>(&loop.body[first].node);
    if (let == nullptr) return loop;
    const Dim& extent = program.vars[burin::at(let->var)].extent;
    const Index digit = floordiv(program.var(loop.var), behind);
    const bool last = behind * extent == loop.end;
    if (!(let->value == mod(digit, extent)) && !(last && let->value == digit)) return loop;
    vars.push_back(let->var);
    sum += program.var(let->var) * behind;
    behind = extent * behind;
  }
  if (vars.size() < 2 || !(behind == loop.end)) return loop;
  Stmts body =
      substitute(Stmts(loop.body.begin() + static_cast<std::ptrdiff_t>(first), loop.body.end()),
                 loop.var, sum);
  for (const int var : vars)
    body = {{For{var, 0, program.vars[burin::at(var)].extent, 1, loop.kind, std::move(body)}}};
  return std::get<For>(body[0].node);
}

namespace {

std::optional<For> find_turns(const Stmts& stmts, const For& loop, const Program& program,
                              BufferId buffer) {
  std::optional<For> found;
  for (const Stmt& stmt : stmts) {
    if (!touches_buffer(stmt, buffer)) continue;
    if (decides_by(stmt, buffer)) return std::nullopt;
    if (const auto* branch = std::get_if<If>(&stmt.node);
        branch != nullptr && branch->otherwise.empty() && !found) {
      found = find_turns(branch->then, loop, program, buffer);
      if (!found) return std::nullopt;
      continue;
    }
    const auto* inner = std::get_if<For>(&stmt.node);
    if (inner == nullptr || found) return std::nullopt;
    bool decides = false;
    for_each(inner->body, [&](const Stmt& one) { decides = decides || decides_by(one, buffer); });
    if (decides) return std::nullopt;
    found = as_strided(*inner, loop, program);
    if (!found) found = as_turns(*inner, loop, program);
    if (!found) return std::nullopt;
  }
  return found;
}

}  // namespace

std::optional<For> over_turns(const For& loop, const Program& program, BufferId buffer) {
  std::optional<For> found = find_turns(loop.body, loop, program, buffer);
  if (!found) return std::nullopt;
  return with_others(std::move(*found), loop, program);
}

std::optional<For> over_parts(const For& loop, Program& program, BufferId buffer) {
  std::vector<Index> divisions;
  for_each(loop.body, [&](const Stmt& stmt) {
    for_each_index(stmt, [&](const Index& one) { collect_divisions(one, divisions); });
  });
  std::optional<int64_t> by;
  for (const Index& one : divisions) {
    if (!(one.operands()[0] == program.var(loop.var))) continue;
    const std::optional<int64_t> divisor = one.operands()[1].as_constant();
    if (!divisor || (by && *by != *divisor)) return std::nullopt;
    by = divisor;
  }
  const std::optional<int64_t> points = (loop.end - loop.begin).as_constant();
  if (!by || !points || *points % *by != 0 || *points == *by || !loop.begin.is_constant(0))
    return std::nullopt;
  const int quotient = program.add(Var{"quotient", *points / *by});
  const int remainder = program.add(Var{"remainder", *by});
  Stmts body;
  for (const Stmt& stmt : loop.body) {
    const bool let = std::holds_alternative<Let>(stmt.node);
    if (let || touches_buffer(stmt, buffer)) body.push_back(stmt);
  }
  body = substitute(body, loop.var, program.var(quotient) * *by + program.var(remainder));
  body = {{For{remainder, 0, *by, 1, loop.kind, std::move(body)}}};
  return For{quotient, 0, *points / *by, 1, loop.kind, std::move(body)};
}

namespace {

// Behind which number all touches of a buffer stand, innermost first: the statements there.
struct Behind {
  Let let;
  Stmts rest;
};
void find_lets(const Stmts& stmts, BufferId buffer, std::vector<Behind>& found) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (const auto* let = std::get_if<Let>(&stmts[i].node)) {
      const Stmts rest(stmts.begin() + static_cast<std::ptrdiff_t>(i) + 1, stmts.end());
      if (touches_buffer({For{0, 0, 1, 1, Kind::serial, rest}}, buffer))
        found.insert(found.begin(), {*let, rest});
    }
    if (!touches_buffer(stmts[i], buffer)) continue;
    // Elsewhere, too: only what stands around all of it counts.
    if (const auto* loop = std::get_if<For>(&stmts[i].node)) {
      find_lets(loop->body, buffer, found);
    } else if (const auto* branch = std::get_if<If>(&stmts[i].node)) {
      if (!branch->otherwise.empty()) return;
      find_lets(branch->then, buffer, found);
    }
  }
}

// The statements with what stands behind the Let of `var`, and itself, replaced.
Stmts with_rest(const Stmts& stmts, int var, const Stmt& instead) {
  Stmts out;
  for (Stmt stmt : stmts) {
    const auto* let = std::get_if<Let>(&stmt.node);
    if (let != nullptr && let->var == var) {
      out.push_back(instead);
      return out;
    }
    if (auto* loop = std::get_if<For>(&stmt.node)) loop->body = with_rest(loop->body, var, instead);
    if (auto* branch = std::get_if<If>(&stmt.node))
      branch->then = with_rest(branch->then, var, instead);
    out.push_back(std::move(stmt));
  }
  return out;
}

int touches_in(const Stmts& stmts, BufferId buffer) {
  int count = 0;
  for_each(stmts, [&](const Stmt& stmt) {
    const bool block =
        std::holds_alternative<For>(stmt.node) || std::holds_alternative<If>(stmt.node);
    count += block ? decides_by(stmt, buffer) : touches_buffer(stmt, buffer);
  });
  return count;
}

}  // namespace

std::optional<ThroughLet> through_let(const For& loop, Program& program, BufferId buffer) {
  std::vector<Behind> found;
  find_lets(loop.body, buffer, found);
  for (const Behind& one : found) {
    // Numbers of its own are set once in all of the loop.
    int sets = 0;
    for_each(loop.body, [&](const Stmt& stmt) {
      const auto* let = std::get_if<Let>(&stmt.node);
      sets += let != nullptr && let->var == one.let.var;
    });
    if (sets != 1 || one.let.value.has_data() ||
        touches_in(one.rest, buffer) != touches_in(loop.body, buffer))
      continue;
    const Dim& extent = program.vars[burin::at(one.let.var)].extent;
    Buffer marks;
    marks.name = "marks";
    marks.type = Type::boolean;
    marks.shape = {extent};
    marks.scope = Scope::group;
    const BufferId id = program.add(std::move(marks));
    For of_points = loop;
    of_points.body =
        with_rest(loop.body, one.let.var, {Store{{id}, {one.let.value}, {Expr::boolean(true)}}});
    const For numbers{one.let.var, 0, extent, 1, loop.kind, one.rest};
    return ThroughLet{with_others(numbers, loop, program), std::move(of_points), id};
  }
  return std::nullopt;
}

}  // namespace burin::loops

#include "loops/transforms/specialise.h"

#include "loops/walk.h"

namespace burin::loops {
namespace {

// What is left of min(end, rest): the condition under which the bound is `end`.
std::optional<Index> rest_of(const Index& bound, int64_t end) {
  if (bound.kind() != IndexKind::min) return std::nullopt;
  std::optional<Index> rest;
  bool found = false;
  for (const Index& operand : bound.operands()) {
    if (operand.is_constant(end)) {
      found = true;
    } else {
      rest = rest ? min(*rest, operand) : operand;
    }
  }
  return found ? rest : std::nullopt;
}

}  // namespace

Change specialise(const Program& program, int var, int inner, int64_t end) {
  Change out{
      program,
      "specialise " + var_text(var) + " on " + var_text(inner) + " of " + std::to_string(end),
      {}};
  const For* loop = find_loop(program, var);
  const For* of = find_loop(program, inner);
  const std::optional<Index> rest = of ? rest_of(of->end, end) : std::nullopt;
  if (!loop) {
    out.refusal = "there is not one loop of " + var_text(var);
  } else if (!rest) {
    out.refusal = var_text(inner) + " does not end at the less of " + std::to_string(end) +
                  " and something else";
  } else {
    // The condition stands in front of the loop: what it asks for must be known there.
    std::vector<int> axes;
    rest->collect_axes(axes);
    bool inside = false;
    for_each(loop->body, [&](const Stmt& stmt) {
      const auto* nested = std::get_if<For>(&stmt.node);
      for (const int axis : axes) inside = inside || (nested && nested->var == axis);
    });
    for (const int axis : axes) inside = inside || axis == var;
    if (inside) out.refusal = "the rest of " + var_text(inner) + " is known inside only";
  }
  if (!out.done()) return out;
  const Stmts whole = rewrite({Stmt{*loop}}, [&](Stmt stmt) {
    auto* nested = std::get_if<For>(&stmt.node);
    if (nested && nested->var == inner) nested->end = end;
    return Stmts{std::move(stmt)};
  });
  const Guard enough{{*rest, end, kUnbounded}};
  out.program = with_loop(program, var, {Stmt{If{enough, whole, {Stmt{*loop}}}}});
  return out;
}

}  // namespace burin::loops

#include "loops/transforms/reorder.h"

#include "loops/verify/races.h"

namespace burin::loops {

Change reorder(const Program& program, int outer, int inner) {
  Change out{program, "reorder " + var_text(outer) + " and " + var_text(inner), {}};
  const For* first = find_loop(program, outer);
  const For* second =
      first && first->body.size() == 1 ? std::get_if<For>(&first->body[0].node) : nullptr;
  if (!second || second->var != inner) {
    out.refusal = var_text(inner) + " is not right inside of " + var_text(outer);
  } else if (second->begin.uses_axis(outer) || second->end.uses_axis(outer)) {
    out.refusal = "bounds of " + var_text(inner) + " depend on " + var_text(outer);
  } else if (!races_of(*first, program).empty() && !races_of(*second, program).empty()) {
    out.refusal = "points of both loops write elements in common";
  }
  if (!out.done()) return out;
  For new_inner = *first, new_outer = *second;
  new_inner.body = second->body;
  new_outer.body = {Stmt{std::move(new_inner)}};
  out.program = with_loop(program, outer, {Stmt{std::move(new_outer)}});
  return out;
}

}  // namespace burin::loops

#include "loops/transforms/split_loop.h"

#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {

Change split(const Program& program, int var, int64_t factor) {
  Change out{program, "split " + var_text(var) + " by " + std::to_string(factor), {}};
  const For* loop = find_loop(program, var);
  if (!loop) {
    out.refusal = "there is not one loop of " + var_text(var);
  } else if (loop->step != 1 || factor < 1) {
    out.refusal = "steps of a loop and of a split are 1 or more";
  }
  if (!out.done()) return out;
  const For given = *loop;
  const std::string name = program.vars[burin::at(var)].name;
  const Dim points = given.end - given.begin, extent = program.vars[burin::at(var)].extent;
  const int outer = out.program.add(Var{name + "_block", ceildiv(extent, factor)});
  const int inner = out.program.add(Var{name + "_in", factor});
  const Index first = out.program.var(outer) * factor;
  // Where the factor divides the points, no block is shorter.
  const Index left =
      mod(points, factor).is_constant(0) ? Index(factor) : min(factor, points - first);
  const Index at = given.begin + first + out.program.var(inner);
  const Stmts body{Stmt{For{inner, 0, left, 1, Kind::serial, substitute(given.body, var, at)}}};
  const Stmts loops{Stmt{For{outer, 0, ceildiv(points, factor), 1, given.kind, body}}};
  out.program = with_loop(out.program, var, loops);
  out.vars = {outer, inner};
  return out;
}

}  // namespace burin::loops

#include "loops/transforms/vectorise.h"

#include <algorithm>
#include <string>

#include "loops/lanewise.h"
#include "loops/verify/races.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
std::string why_no_vectors(const Program& program, const For& loop, int lanes, Rest rest) {
  if (loop.kind != Kind::serial || loop.step != 1 || !loop.inductions.empty())
    return "it is no plain loop";
  if (lanes < 2) return "a vector has two lanes or more";
  if (loop.body.empty()) return "it is empty";
  if (rest == Rest::one_by_one && proven_lt(loop.end - loop.begin, lanes))
    return "it is shorter than a vector";
  for (const Stmt& stmt : loop.body) {
    const auto* store = std::get_if<Store>(&stmt.node);
    if (store == nullptr) return "it has more than stores";
    if (const std::string why = not_lanewise(program, *store, loop.var); !why.empty()) return why;
  }
  const std::vector<std::string> shared = races_of(loop, program);
  return shared.empty() ? "" : shared.front();
}

Change vectorise(const Program& program, int var, int lanes, Rest rest) {
  Change out{program, "vectorise " + var_text(var) + " by " + std::to_string(lanes), {}};
  const For* found = find_loop(program, var);
  out.refusal = found == nullptr ? "there is not one loop of " + var_text(var)
                                 : why_no_vectors(program, *found, lanes, rest);
  if (!out.done()) return out;
  const For given = *found;
  const std::string name = program.vars[burin::at(var)].name;
  const int first = out.program.add(
      Var{free_var(program, name + "_vector"), program.vars[burin::at(var)].extent + Index(lanes)});
  const int lane = out.program.add(Var{free_var(program, name + "_lane"), lanes});
  const Index length = given.end - given.begin;
  const bool whole = mod(length, lanes).is_constant(0);
  const Index last =
      whole ? given.end : given.begin + floordiv(max(0, length), lanes) * Index(lanes);
  const Index point = out.program.var(first) + out.program.var(lane);
  const Stmts vector{
      Stmt{For{lane, 0, lanes, 1, Kind::vector, substitute(given.body, var, point)}}};
  Stmts loops;
  Index end = last;
  if (!whole && !last.is_constant()) {
    const int stop = out.program.add(Var{free_var(program, name + "_whole"),
                                         program.vars[burin::at(var)].extent + Index(lanes)});
    loops.push_back({Let{stop, last}});
    end = out.program.var(stop);
  }
  if (!(end == given.begin))
    loops.push_back({For{first, given.begin, end, lanes, Kind::serial, vector}});
  if (!whole && rest == Rest::masked) {
    For part{var, end, given.end, 1, Kind::vector, given.body};
    part.lanes = lanes;
    const Index left = given.end - end;
    // Mostly there is none.
    loops.push_back(proven_le(1, left) ? Stmt{part}
                                       : Stmt{If{{{left, 1, Index(lanes)}}, {Stmt{part}}, {}}});
  } else if (!whole) {
    loops.push_back({For{var, end, given.end, 1, Kind::serial, given.body}});
  }
  out.program = with_loop(out.program, var, loops);
  out.vars = {first, lane};
  return out;
}

}  // namespace burin::loops

#include "loops/transforms/bind.h"

#include "loops/verify/races.h"

namespace burin::loops {

Change bind(const Program& program, int var, Kind kind) {
  Change out{program, "bind " + var_text(var) + " to " + std::string(to_string(kind)), {}};
  const For* loop = find_loop(program, var);
  if (!loop) {
    out.refusal = "there is not one loop of " + var_text(var);
    return out;
  }
  const bool counted = kind == Kind::unrolled || kind == Kind::vector;
  if (counted && !(loop->end - loop->begin).is_constant()) {
    out.refusal = "the points of " + var_text(var) + " are not a number";
    return out;
  }
  For bound = *loop;
  bound.kind = kind;
  if (kind != Kind::serial && kind != Kind::unrolled && kind != Kind::host) {
    const std::vector<std::string> races = races_of(bound, program);
    if (!races.empty()) out.refusal = races[0];
  }
  if (!out.done()) return out;
  out.program = with_loop(program, var, {Stmt{std::move(bound)}});
  return out;
}

}  // namespace burin::loops

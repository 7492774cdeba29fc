#include "loops/transforms/distribute.h"

#include <algorithm>

#include "loops/verify/races.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

std::string refusal_of(const Program& program, const For* loop, int var, size_t at) {
  if (loop == nullptr) return "there is not one loop of " + var_text(var);
  if (!loop->inductions.empty() || loop->part_end >= 0) return "it is no plain loop";
  if (at == 0 || at >= loop->body.size()) return "there is nothing on one side";
  const Stmts behind(loop->body.begin() + static_cast<std::ptrdiff_t>(at), loop->body.end());
  std::vector<BufferId> used = reads_of(behind);
  const std::vector<BufferId> written = writes_of(behind);
  used.insert(used.end(), written.begin(), written.end());
  for (size_t k = 0; k < at; ++k) {
    const Stmt& stmt = loop->body[k];
    if (std::holds_alternative<Let>(stmt.node) || std::holds_alternative<Name>(stmt.node))
      return "a number is named in front of the cut";
    const auto* alloc = std::get_if<Alloc>(&stmt.node);
    if (alloc != nullptr && std::find(used.begin(), used.end(), alloc->buffer) != used.end())
      return program.buffers[burin::at(alloc->buffer)].name + " is used on both sides";
  }
  const std::vector<std::string> shared = races_of(*loop, program);
  return shared.empty() ? "" : shared.front();
}

}  // namespace

Change distribute(const Program& program, int var, size_t at) {
  Change out{program, "distribute " + var_text(var) + " at " + std::to_string(at), {}};
  const For* found = find_loop(program, var);
  out.refusal = refusal_of(program, found, var, at);
  if (!out.done()) return out;
  const Var& own = program.vars[burin::at(var)];
  const int second = out.program.add(Var{free_var(program, own.name), own.extent});
  For first = *found, rest = *found;
  const auto cut = static_cast<std::ptrdiff_t>(at);
  first.body.erase(first.body.begin() + cut, first.body.end());
  rest.body.erase(rest.body.begin(), rest.body.begin() + cut);
  rest.body = substitute(rest.body, var, out.program.var(second));
  rest.var = second;
  out.program = with_loop(out.program, var, {Stmt{std::move(first)}, Stmt{std::move(rest)}});
  out.vars = {second};
  return out;
}

}  // namespace burin::loops

#include "select/programs/brief.h"

#include "loops/transforms/merge.h"
#include "loops/transforms/unswitch.h"
#include "loops/walk.h"

namespace burin {

loops::Program with_shared_loops(loops::Program program) {
  program = loops::merge_loops(std::move(program));
  std::vector<int> vars;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    if (const auto* loop = std::get_if<loops::For>(&stmt.node)) vars.push_back(loop->var);
  });
  for (const int var : vars) {
    loops::Change around = loops::unswitch(program, var);
    if (around.done()) program = std::move(around.program);
  }
  return program;
}

}  // namespace burin

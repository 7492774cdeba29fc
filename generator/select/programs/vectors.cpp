#include "select/programs/vectors.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "loops/transforms/vectorise.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin {
namespace {

bool mixes_widths(const loops::Stmts& body, const loops::Program& program) {
  std::vector<loops::BufferId> touched = loops::reads_of(body);
  for (const loops::BufferId one : loops::writes_of(body)) touched.push_back(one);
  const auto width = [&](loops::BufferId id) { return size_bits(program.buffers[at(id)].type); };
  return std::any_of(touched.begin(), touched.end(), [&](loops::BufferId id) {
    return !program.buffers[at(id)].shape.empty() && width(id) != width(touched.front());
  });
}

}  // namespace

loops::Program in_vectors(loops::Program program, int lanes) {
  // As many as runtime_min/vec.h has vectors of.
  if (lanes != 4 && lanes != 8 && lanes != 16) return program;
  std::vector<int> vars;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* loop = std::get_if<loops::For>(&stmt.node);
    if (loop && !loops::has_loops(loop->body) && mixes_widths(loop->body, program))
      vars.push_back(loop->var);
  });
  for (const int var : vars) {
    loops::Change change = loops::vectorise(program, var, lanes);
    if (change.done()) program = std::move(change.program);
  }
  return program;
}

}  // namespace burin

#include "loops/transforms/change.h"

#include <algorithm>

#include "loops/walk.h"

namespace burin::loops {

const For* find_loop(const Program& program, int var) {
  const For* found = nullptr;
  int count = 0;
  for_each(program.body, [&](const Stmt& stmt) {
    const auto* loop = std::get_if<For>(&stmt.node);
    if (loop && loop->var == var) found = loop, ++count;
  });
  return count == 1 ? found : nullptr;
}

Program with_loop(const Program& program, int var, const Stmts& stmts) {
  Program out = program;
  out.body = rewrite(program.body, [&](Stmt stmt) {
    const auto* loop = std::get_if<For>(&stmt.node);
    return loop && loop->var == var ? stmts : Stmts{std::move(stmt)};
  });
  return out;
}

std::string var_text(int var) { return "i" + std::to_string(var); }

std::string free_name(const Program& program, const std::string& name) {
  std::string out = name;
  for (int n = 2; std::any_of(program.buffers.begin(), program.buffers.end(),
                              [&](const Buffer& one) { return one.name == out; });
       ++n)
    out = name + std::to_string(n);
  return out;
}

}  // namespace burin::loops

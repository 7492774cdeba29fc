#include "loops/transforms/change.h"

#include <algorithm>

#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

// `name`, or with a mark and a number behind it where one of `all` is called so.
template <class Named>
std::string unused(const std::vector<Named>& all, const std::string& name, const char* mark) {
  std::string out = name;
  for (int n = 2;
       std::any_of(all.begin(), all.end(), [&](const Named& one) { return one.name == out; }); ++n)
    out = name + mark + std::to_string(n);
  return out;
}

}  // namespace

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

std::vector<int> give_own_variables(Program& program,
                                    const std::function<bool(const For&)>& wanted) {
  std::vector<int> vars;
  program.body = rewrite(program.body, [&](Stmt stmt) {
    auto* loop = std::get_if<For>(&stmt.node);
    if (loop == nullptr || !wanted(*loop)) return Stmts{std::move(stmt)};
    if (find_loop(program, loop->var) == nullptr) {
      const Var own = program.vars[burin::at(loop->var)];
      const int fresh = program.add({free_var(program, own.name), own.extent});
      loop->body = substitute(loop->body, loop->var, program.var(fresh));
      loop->var = fresh;
    }
    vars.push_back(loop->var);
    return Stmts{std::move(stmt)};
  });
  return vars;
}

std::string var_text(int var) { return "i" + std::to_string(var); }

std::string free_name(const Program& program, const std::string& name) {
  return unused(program.buffers, name, "");
}

std::string free_var(const Program& program, const std::string& name) {
  return unused(program.vars, name, "_");
}

}  // namespace burin::loops

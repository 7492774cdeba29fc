// What a transform gives back: the changed program, or why it is not legal there. A schedule is the
// list of the texts of the changes that made it, from the naive nest on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

struct Change {
  Program program;
  std::string text;                    // "split i0 by 16"
  std::string refusal;                 // empty: it was done
  std::vector<int> vars = {};          // new variables, as the transform says
  std::vector<BufferId> buffers = {};  // new buffers
  bool done() const { return refusal.empty(); }
};

// The loop of a variable, which has to be the only one; nullptr: there is none, or several.
const For* find_loop(const Program& program, int var);
// The program with the loop of `var` replaced by `stmts`.
Program with_loop(const Program& program, int var, const Stmts& stmts);

// Transforms know a loop by its variable: each loop that is wanted gets one of its own where others
// count with it, too. Returns the variables, in the order of the loops.
std::vector<int> give_own_variables(Program& program,
                                    const std::function<bool(const For&)>& wanted);

std::string var_text(int var);  // "i3"
// `name`, or with a number behind it where a buffer is called so.
std::string free_name(const Program& program, const std::string& name);
std::string free_var(const Program& program, const std::string& name);  // the same of variables

}  // namespace burin::loops

// The line above a part of a kernel's body: what the loops and conditions below it write, from
// what.
#pragma once

#include <functional>
#include <string>

#include "loops/program.h"

namespace burin::print {

// "Copies input to b_panel." Of the statement at `place`, where it is a loop or a condition, and
// where there is another one to tell it from or nothing around it (`top`); else empty. O(statements
// in it).
std::string part_comment(const loops::Stmts& stmts, size_t place, bool top,
                         const std::function<std::string(loops::BufferId)>& name);

}  // namespace burin::print

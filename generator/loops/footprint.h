// Which part of a buffer statements touch: one box for all accesses, at one place of the loops
// around.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

// Along dimension d the elements [first[d], first[d] + extent[d]); `first` is over variables that
// are set outside of the statements.
struct Footprint {
  std::vector<Index> first;
  std::vector<int64_t> extent;
};

// Variables that loops and Lets inside of the statements set.
std::set<int> variables_in(const Stmts& stmts);

// nullopt: the buffer is not touched, its accesses do not begin at one place, or their reach is no
// number. Calls are not looked into: a buffer that one has is refused.
std::optional<Footprint> footprint(const Stmts& stmts, BufferId buffer);

// All accesses of `buffer` in `stmts` replaced by accesses of `other` at what `place` makes of
// them; of regions of calls it may move the beginning and put dimensions in front.
Stmts redirect(const Stmts& stmts, BufferId buffer, BufferId other,
               const std::function<std::vector<Index>(const std::vector<Index>& at)>& place);

}  // namespace burin::loops

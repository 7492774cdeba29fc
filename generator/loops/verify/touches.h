// Where the points of a loop touch buffers, and how that moves with the point.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

using Spelling = std::map<int, Index>;  // variables by others
Index spelled(const Index& index, const Spelling& by);

// One way in which a buffer is touched: per dimension where it begins, and how far it reaches; and
// how variables around it move with the loop.
struct Touch {
  std::vector<Index> first;
  std::vector<Dim> extent;
  bool writes = false;
  Spelling by;
  std::optional<int64_t> point = {};  // of the loop, where conditions leave one
  // As many elements as the last extent says, which may begin in one row and end in a later one;
  // and what is at most how much where it happens.
  bool runs_on = false;
  std::vector<std::pair<Index, Dim>> limits = {};
};

// All touches inside of a loop. A variable that moves with the loop's is spelled by it: a Let is
// its value, and what a loop counts lies behind where the outer point's part begins.
struct Touched {
  std::map<BufferId, std::vector<Touch>> all;
  std::set<BufferId> own;  // allocated inside
  std::set<int> inner;     // variables that are set inside
};
Touched touches_of(const For& loop, const Program& program);

}  // namespace burin::loops

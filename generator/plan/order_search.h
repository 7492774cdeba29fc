// The order of one list with the least peak, as a problem of its own: nodes with dependences,
// values with sizes. A value takes its bytes from the first node that touches it to the last one.
//
// Sets of finished nodes are explored level by level (all sets with k nodes), as in SERENITY; what
// has been finished determines what is live, so for each set only the least peak so far is kept. A
// node that can run without raising the peak and leaves no more live than before is run at once.
// The list is cut where a node comes after or before every other one; only parts that decide the
// peak are searched. Beyond the budget each level keeps its best sets only (beam), and the answer
// is no longer certified.
#pragma once

#include <cstdint>
#include <vector>

namespace burin {

struct OrderProblem {
  int nodes = 0;
  std::vector<std::vector<int>>
      after;                   // by node: nodes that must come before it; all lower numbers
  std::vector<int64_t> extra;  // by node: bytes that it needs while it runs
  std::vector<int64_t> sizes;  // by value
  std::vector<std::vector<int>> touches;  // by node: values, sorted, unique
};

struct OrderSolution {
  std::vector<int> order;  // of nodes; 0, 1, 2 ... where nothing is gained
  int64_t peak = 0;
  bool optimal = false;
};

int64_t peak_of(const OrderProblem& problem, const std::vector<int>& order);

OrderSolution search_order(const OrderProblem& problem, int64_t state_budget);

}  // namespace burin

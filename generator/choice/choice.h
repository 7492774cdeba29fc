// Choice: one state for every variable, so that the costs of states and of pairs of states sum to
// the least. GCD2's Equation 1 is one (variables: operators, states: their execution plans, pairs:
// transformations on edges), and so is every partitioned Boolean quadratic problem.
//
// Solved exactly: variables with no, one or two neighbours are folded into these (R0, R1, R2), the
// others are eliminated in an order that adds few edges (min-fill; the table over the neighbours
// may be of any rank), and where such a table would be too large, branch and bound goes through the
// states of one variable after another, with bounds from the same elimination made approximate
// (tables are minimised apart where together they would be too large). Graphs of operators have
// tree-width 2 or little more, so that hardly anything is ever branched on. Costs are integers and
// budgets count work: the same problem gives the same answer everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace burin {

using Cost = int64_t;
inline constexpr Cost kForbidden = Cost{1} << 60;  // and above: may not be chosen
Cost plus(Cost a, Cost b);                         // stops at kForbidden

struct Choice {
  struct Pair {
    int a = 0, b = 0;         // two variables
    std::vector<Cost> costs;  // of state i of a with state j of b, at i * states(b) + j
    bool operator==(const Pair&) const = default;
  };
  std::vector<std::vector<Cost>> costs;  // of each variable's states; at least one
  std::vector<Pair> pairs;
  bool operator==(const Choice&) const = default;
};

Cost cost_of(const Choice& choice, const std::vector<int>& states);

struct SolveOptions {
  int64_t table_entries = 1 << 20;  // of the largest table that an elimination may make
  int64_t bound_entries = 1 << 12;  // of the largest one that a bound may make
  int64_t branches = 20'000;        // states that branch and bound may try
};

struct Solved {
  std::vector<int> states;
  Cost cost = 0;        // of them
  Cost bound = 0;       // nothing is below it
  bool optimal = true;  // cost == bound
  int folded = 0;       // variables that R0, R1 and R2 removed
  int eliminated = 0;   // by tables of higher rank
  int widest = 0;       // the most neighbours that one of them had
  int64_t branches = 0;
  bool operator==(const Solved&) const = default;
};

Solved solve(const Choice& choice, const SolveOptions& options = {});

// "cost 120, optimal; 14 variables folded, 2 eliminated (at most 4 neighbours), 0 branches"
std::string to_string(const Solved& solved);

}  // namespace burin

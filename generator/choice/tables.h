// Tables of costs over the states of some variables, and what elimination does with them.
#pragma once

#include <vector>

#include "choice/choice.h"

namespace burin {

struct Table {
  std::vector<int> scope;   // variables, ascending
  std::vector<Cost> costs;  // row-major in the order of the scope
};

// How many states each variable has.
using States = std::vector<int>;

bool mentions(const Table& table, int variable);
// Entries of a table over these variables; stops at kForbidden.
int64_t entries(const std::vector<int>& scope, const States& states);
// All variables of some tables, ascending.
std::vector<int> joint_scope(const std::vector<const Table*>& tables);

struct Minimised {
  Table table;            // over everything but the variable
  std::vector<int> best;  // the variable's state at each entry of it
};
// The sum of `tables`, at the cheapest state of `variable`; the first one of equals.
Minimised minimise(const std::vector<const Table*>& tables, int variable, const States& states);

// The entry of `states_at` (a state for every variable) in a table over `scope`.
size_t entry_of(const std::vector<int>& scope, const States& states,
                const std::vector<int>& states_at);

// `table` where `variable` has that state; without it in its scope.
Table restricted(const Table& table, int variable, int state, const States& states);

}  // namespace burin

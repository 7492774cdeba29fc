#include "choice/tables.h"

#include <algorithm>

namespace burin {

bool mentions(const Table& table, int variable) {
  return std::binary_search(table.scope.begin(), table.scope.end(), variable);
}

int64_t entries(const std::vector<int>& scope, const States& states) {
  int64_t count = 1;
  for (const int variable : scope) {
    const int64_t more = states[static_cast<size_t>(variable)];
    if (count > kForbidden / more) return kForbidden;
    count *= more;
  }
  return count;
}

std::vector<int> joint_scope(const std::vector<const Table*>& tables) {
  std::vector<int> scope;
  for (const Table* table : tables)
    scope.insert(scope.end(), table->scope.begin(), table->scope.end());
  std::sort(scope.begin(), scope.end());
  scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
  return scope;
}

namespace {

// How far an entry of `table` moves when a variable of `scope` goes to its next state.
std::vector<size_t> strides_in(const Table& table, const std::vector<int>& scope,
                               const States& states) {
  std::vector<size_t> strides(scope.size(), 0);
  size_t step = 1;
  for (size_t d = table.scope.size(); d-- > 0;) {
    const auto at = std::find(scope.begin(), scope.end(), table.scope[d]);
    if (at != scope.end()) strides[static_cast<size_t>(at - scope.begin())] = step;
    step *= static_cast<size_t>(states[static_cast<size_t>(table.scope[d])]);
  }
  return strides;
}

}  // namespace

Minimised minimise(const std::vector<const Table*>& tables, int variable, const States& states) {
  Minimised out;
  out.table.scope = joint_scope(tables);
  std::erase(out.table.scope, variable);
  std::vector<int> scope = out.table.scope;
  scope.push_back(variable);  // moves fastest
  std::vector<std::vector<size_t>> strides;
  for (const Table* table : tables) strides.push_back(strides_in(*table, scope, states));
  const auto count = static_cast<size_t>(entries(out.table.scope, states));
  const int own = states[static_cast<size_t>(variable)];
  out.table.costs.reserve(count);
  out.best.reserve(count);
  std::vector<int> point(out.table.scope.size(), 0);
  std::vector<size_t> at(tables.size(), 0);
  for (size_t entry = 0; entry < count; ++entry) {
    Cost least = 0;
    int best = -1;
    for (int state = 0; state < own; ++state) {
      Cost cost = 0;
      for (size_t t = 0; t < tables.size(); ++t)
        cost = plus(cost, tables[t]->costs[at[t] + static_cast<size_t>(state) * strides[t].back()]);
      if (best < 0 || cost < least) {
        least = cost;
        best = state;
      }
    }
    out.table.costs.push_back(least);
    out.best.push_back(best);
    for (size_t d = point.size(); d-- > 0;) {
      const int last = states[static_cast<size_t>(out.table.scope[d])] - 1;
      const bool carries = point[d] == last;
      for (size_t t = 0; t < tables.size(); ++t)
        carries ? at[t] -= strides[t][d] * static_cast<size_t>(last) : at[t] += strides[t][d];
      point[d] = carries ? 0 : point[d] + 1;
      if (!carries) break;
    }
  }
  return out;
}

size_t entry_of(const std::vector<int>& scope, const States& states,
                const std::vector<int>& states_at) {
  size_t entry = 0;
  for (const int variable : scope) {
    const auto v = static_cast<size_t>(variable);
    entry = entry * static_cast<size_t>(states[v]) + static_cast<size_t>(states_at[v]);
  }
  return entry;
}

Table restricted(const Table& table, int variable, int state, const States& states) {
  if (!mentions(table, variable)) return table;
  Table out;
  size_t inner = 1;
  bool inside = false;
  for (const int one : table.scope) {
    if (one == variable) {
      inside = true;
      continue;
    }
    out.scope.push_back(one);
    if (inside) inner *= static_cast<size_t>(states[static_cast<size_t>(one)]);
  }
  const auto own = static_cast<size_t>(states[static_cast<size_t>(variable)]);
  for (size_t start = static_cast<size_t>(state) * inner; start < table.costs.size();
       start += own * inner) {
    const auto first = table.costs.begin() + static_cast<std::ptrdiff_t>(start);
    out.costs.insert(out.costs.end(), first, first + static_cast<std::ptrdiff_t>(inner));
  }
  return out;
}

}  // namespace burin

#include "plans/support/all_orders.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace burin::test {

bool respects(const OrderProblem& problem, const std::vector<int>& order) {
  std::vector<bool> done(order.size(), false);
  for (const int node : order) {
    for (const int needed : problem.after[static_cast<size_t>(node)]) {
      if (!done[static_cast<size_t>(needed)]) return false;
    }
    done[static_cast<size_t>(node)] = true;
  }
  return true;
}

std::vector<int> given_order(const OrderProblem& problem) {
  std::vector<int> order(static_cast<size_t>(problem.nodes));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int64_t> least_peaks(const OrderProblem& problem) {
  std::vector<int64_t> least(problem.sizes.size(), std::numeric_limits<int64_t>::max());
  std::vector<int> order = given_order(problem);
  do {
    if (!respects(problem, order)) continue;
    for (size_t k = 0; k < least.size(); ++k)
      least[k] = std::min(least[k], peak_of(problem, order, k));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

}  // namespace burin::test

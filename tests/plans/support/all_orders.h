// All orders of a small problem, tried one by one.
#pragma once

#include <vector>

#include "plan/order/order_search.h"

namespace burin::test {

bool respects(const OrderProblem& problem, const std::vector<int>& order);
// 0, 1, 2 ...
std::vector<int> given_order(const OrderProblem& problem);
// The least of all orders, by point.
std::vector<int64_t> least_peaks(const OrderProblem& problem);

}  // namespace burin::test

// The order of one part of a list at one point of the space of sizes (plan/order/order_search.h): a
// search over sets of finished nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/order/order_search.h"

namespace burin {

struct PartTask {
  int first = 0, end = 0;  // nodes; everything before them is done
  size_t point = 0;
  int64_t floor = 0;  // a peak of this costs nothing
  int64_t bound = 0;  // one of this or more is no use
  int64_t budget = 0;
};

struct PartOrder {
  std::vector<int> order;  // empty: none stays below the bound
  bool complete = false;   // no order is better
};

PartOrder order_part(const OrderProblem& problem, const PartTask& task);

}  // namespace burin

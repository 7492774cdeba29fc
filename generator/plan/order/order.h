// Execution order: steps of one list are moved, where data allow it, so that less is live at once
// (SoD2 4.3). Every list of the tree (the graph's own, both of an If, the body of a Loop) is
// ordered by itself, the innermost first; what a nested step needs inside counts as one lump. Sizes
// are taken at several points (plan/packing/size_points.h), the hints first. The order changes only
// where the largest sum of live bytes becomes smaller, and not larger at the hints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/run_order.h"
#include "plan/order/order_search.h"

namespace burin {

struct OrderOptions {
  OrderLimits limits;
  int64_t least_gain_percent = 1;  // of the given peak; for less the given order stays
};

// What was done with a part of a list (SoD2 4.3). Lists are numbered depth first in the given
// order: the graph's own steps, then the lists inside of every step, then before else.
struct PartReport {
  int list = 0;
  OrderedPart part;
  std::vector<StepId> steps;  // of the list itself, as they run
  bool operator==(const PartReport&) const = default;
};

struct OrderPlan {
  RunOrder order;
  int64_t given_peak = 0;         // largest sum of live bytes at the hints, no bytes shared
  int64_t peak = 0;               // the same in the new order
  bool optimal = false;           // no order of any list has a lower peak there (by the least gain)
  std::vector<PartReport> parts;  // by list
  bool operator==(const OrderPlan&) const = default;
};

OrderPlan plan_order(const KernelGraph& graph, const OrderOptions& options = {});

// Independent of the planner: every step runs once, and right behind what it lies in or what lies
// there before it; whatever touches one value or symbol, one of the two changing it, runs in the
// given order; so does everything after a check. Empty, or the fault.
std::string check_order(const KernelGraph& graph, const OrderPlan& plan);

std::string to_string(const OrderPlan& plan);

}  // namespace burin

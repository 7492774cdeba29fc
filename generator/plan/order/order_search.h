// The order of one list with the least peak, as a problem of its own: nodes with dependences,
// values with sizes at several points (plan/packing/size_points.h). A value takes its bytes from
// the first node that touches it to the last one.
//
// The list is cut where a node comes after or before every other one; only parts that decide the
// peak are searched, at every point by itself. Sets of finished nodes are explored level by level
// (all sets with k nodes), as in SERENITY; what has been finished determines what is live, so for
// each set only the least peak so far is kept. A node that can run without raising the peak and
// leaves no more live than before is run at once. Beyond the budget each level keeps its best sets
// only (beam), and the part is also cut at nodes whose results have dynamic sizes and after so
// many nodes, each piece searched by itself; the answer is no longer certified.
//
// Orders that are best at different points are compared by dominance: one is never worse where each
// sum of live bytes in it is proven to be at most one in the other. Where that decides nothing, the
// one that is least above the best at its worst point is taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/index/index.h"

namespace burin {

// What is known of the sizes of a part.
enum class PartClass : uint8_t {
  constant,  // all are numbers
  mixed,     // some are expressions over symbols of the inputs
  nac,       // some are known in the run only; their bounds count
};
std::string_view to_string(PartClass part_class);

struct OrderProblem {
  int nodes = 0;
  std::vector<std::vector<int>>
      after;  // by node: nodes that must come before it; all lower numbers
  std::vector<std::vector<int64_t>> extra;  // by point, by node: bytes that it needs while it runs
  std::vector<std::vector<int64_t>> sizes;  // by point, by value
  std::vector<std::vector<int>> touches;    // by node: values, sorted, unique
  std::vector<Index> bytes;                 // by value, as expressions; for proofs
  std::vector<PartClass> classes;           // by node
  std::vector<bool> cuts;                   // by node: its results have dynamic sizes
};

struct OrderedPart {
  int first = 0, nodes = 0;  // places in the order
  PartClass part_class = PartClass::constant;
  std::string method;
  bool operator==(const OrderedPart&) const = default;
};

struct OrderSolution {
  std::vector<int> order;      // of nodes; 0, 1, 2 ... where nothing is gained
  std::vector<int64_t> peaks;  // by point
  bool optimal = false;        // at the first point
  std::vector<OrderedPart> parts;
};

struct OrderLimits {
  bool search = true;
  int64_t state_budget = 50000;  // sets of finished nodes that a search keeps, per part and point
  int piece = 24;                // nodes of a piece of a part that is too large for that
};

int64_t peak_of(const OrderProblem& problem, const std::vector<int>& order, size_t point = 0);

OrderSolution search_order(const OrderProblem& problem, const OrderLimits& limits);

}  // namespace burin

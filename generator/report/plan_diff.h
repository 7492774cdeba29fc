// What became of a plan: kernels that were added, are gone or changed, told by their nodes; and the
// figures beside each other.
//
// Steps are paired by the nodes that they stand for: those with the same nodes first, then each
// with the one that shares most of them. O(nodes * steps that share one).
#pragma once

#include <string>
#include <vector>

#include "report/tree_facts.h"

namespace burin {

struct Change {
  std::string what, before, now;  // `before` or `now` may be empty: it was not there, or is gone
  bool operator==(const Change&) const = default;
};

struct StepChange {
  enum class Kind { added, gone, changed };
  Kind kind = Kind::added;
  std::vector<PlanNode> nodes;  // as they are now; of one that is gone, as they were
  int64_t macs_before = 0, macs = 0, cycles_before = 0, cycles = 0;
  std::vector<Change> changes;  // of one that changed
};

struct Figure {
  std::string name;  // "MACs"
  int64_t before = 0, now = 0;
};

struct PlanDiff {
  std::string before, now;        // what is compared, for people
  std::string sizes;              // that figures are for, where they are the same
  std::vector<Figure> figures;    // all of them, changed or not
  std::vector<Change> facts;      // hardware, flags, interface, weights: what differs
  std::vector<StepChange> steps;  // in the order of the run; what is gone behind the others
  int64_t same = 0;               // steps
  bool reordered = false;         // steps that are in both run in another order

  bool empty() const;
};

PlanDiff diff(const TreeFacts& before, const TreeFacts& now);

std::string to_text(const PlanDiff& diff);
std::string to_json(const PlanDiff& diff);
std::string to_markdown(const PlanDiff& diff);  // for a pull request

}  // namespace burin

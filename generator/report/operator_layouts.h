// Layout classes and mapping types of a model's operators, and of every two of which one reads what
// the other makes (layout/classes.h).
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "layout/classes.h"
#include "lower/lower.h"

namespace burin {

struct OperatorLayout {
  bool is_known = false;  // false: folded, nothing of it runs
  LayoutClass layout = LayoutClass::ili_fixed;
  Mapping mapping = Mapping::one_to_one;
};

struct OperatorPair {
  size_t first = 0, second = 0;  // places among the nodes
};

struct OperatorLayouts {
  std::vector<OperatorLayout> operators;  // one for each node
  std::vector<OperatorPair> pairs;        // in the order of the first, then of the second
};

OperatorLayouts operator_layouts(const KernelGraph& lowered, const std::vector<NodeFacts>& nodes);

}  // namespace burin

// Other forms of a graph around one tensor, of which no rule says that they pay: doubtful fusions
// and concatenations in place. Each is a further state of the tensor in the problem of layouts
// (layout/layout_plan.h), decided with all others.
//
// - A tensor that a map makes: its readers could compute it where they read it.
// - A part of a concatenation that its maker writes in place, and that others read without the
// rest:
//   it could be a tensor of its own, in a layout of its own, and be copied to its place.
#pragma once

#include <map>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct Form {
  ValueId tensor = kNoValue;  // that is not there in this form, or only in this form:
  bool appears = false;
  std::map<int, std::vector<Kernel>>
      steps;  // what runs in place of a step; nothing: it is left out
};

// The graph with the tensors that appear as further values, which nobody uses yet, and its forms:
// at most one touches a step. `least_points`: of tensors that are looked at.
struct Forms {
  std::vector<Value> values;  // all of the graph's, and those
  std::vector<Form> forms;
};
Forms find_forms(const KernelGraph& graph, int64_t least_points);

// The graph in the chosen forms, by number, ascending.
KernelGraph with_forms(KernelGraph graph, const Forms& forms, const std::vector<int>& chosen);

}  // namespace burin

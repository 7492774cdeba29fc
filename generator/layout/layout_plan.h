// The layout of every internal tensor, chosen for the whole graph at once (SmartMem 3.2.2, GCD2
// IV-A and IV-B): a plain value that prints and compares. Decided here, applied by
// layout/relayout.h.
#pragma once

#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "layout/choice.h"
#include "layout/copies.h"
#include "layout/relayout.h"

namespace burin {

struct LayoutOptions {
  int most_states = 6;            // layouts of one tensor
  int64_t most_points = 1 << 16;  // tensors of fewer elements stay as they are: nothing to gain
  SolveOptions solve;
};

// How a tensor lies in memory: as it is made, and as a copy of it lies, if there is one.
using LayoutSet = std::vector<Layout>;

// A kernel that reads a variable.
struct LayoutRead {
  int variable = 0, number = 0;  // it is the reader of that number
  int made = -1;                 // the variable that it makes; -1: none
  // The layout of the set that it reads, by states of `made` and of `variable` as in Choice::Pair.
  std::vector<uint8_t> pick;
};

// The problem. A variable is a tensor whose layout is free, its states are sets of layouts; what a
// kernel costs is split over its result and the pairs of that with each operand.
struct LayoutProblem {
  std::vector<ValueId> values;                  // of each variable
  std::vector<std::vector<LayoutSet>> layouts;  // its states; the first one is row-major
  std::vector<LayoutRead> reads;
  Choice choice;
  Cost fixed = 0;  // of kernels that no variable touches
};

// What the states of all variables say.
Layouts layouts_of(const LayoutProblem& problem, const std::vector<int>& states);
LayoutCopies copies_of(const LayoutProblem& problem, const std::vector<int>& states);

// Candidates: as it is; each dimension that some access reduces or runs along innermost moved to
// the end; the same in blocks of one vector (NCHW[x]c) where blocks are full. Of tensors that
// several kernels read, one of these with a copy in another, where the readers together could gain
// more than the copy costs.
LayoutProblem layout_problem(const KernelGraph& graph, const Hardware& hardware,
                             const LayoutOptions& options = {});

struct LayoutPlan {
  Layouts layouts;
  LayoutCopies copies;
  Solved solved;
  Cost row_major = 0;  // if nothing were changed
  Cost local = 0;      // if each tensor had what is best for the kernel that makes it
  Cost greedy = 0;     // if each had its first reader's reduction dimension innermost (SmartMem)
  Cost partition13 = 0, partition17 = 0;  // GCD2's heuristic, parts of so many operators
  int variables = 0;
  int choices_log2 = 0;  // of the number of all choices, rounded down
  bool operator==(const LayoutPlan&) const = default;
};

LayoutPlan plan_layouts(const KernelGraph& graph, const Hardware& hardware,
                        const LayoutOptions& options = {});

// GCD2 IV-B: the graph in parts of at most `most` variables, cut at desirable edges where there are
// some, each solved alone. The states of all variables.
std::vector<int> partitioned(const Choice& choice, int most);

// One line per tensor that is not row-major, "'name' 0 2 3 1".
std::string to_string(const LayoutPlan& plan, const KernelGraph& graph);

}  // namespace burin

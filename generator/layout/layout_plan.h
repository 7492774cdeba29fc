// The layout of every internal tensor, chosen for the whole graph at once (SmartMem 3.2.2, GCD2
// IV-A and IV-B): a plain value that prints and compares. Decided here, applied by
// layout/relayout.h.
#pragma once

#include <string>
#include <vector>

#include "choice/choice.h"
#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "layout/copies.h"
#include "layout/forms.h"
#include "layout/relayout.h"
#include "select/device/tuning.h"

namespace burin {

struct LayoutOptions {
  int most_states = 6;             // layouts of one tensor
  int64_t most_points = 1 << 16;   // tensors of fewer elements stay as they are: nothing to gain
  const Tuning* tuning = nullptr;  // times that were measured; may be null
  SolveOptions solve;
};

// How a tensor lies in memory: as it is made, and as a copy of it lies, if there is one. Empty: it
// is not there.
using LayoutSet = std::vector<Layout>;

// A kernel that reads a variable.
struct LayoutRead {
  int variable = 0, number = 0;  // it is the reader of that number
  int key = -1;                  // the variable that its costs depend on beside; -1: none
  // The layout of the set that it reads, by states of `key` and of `variable` as in Choice::Pair.
  std::vector<uint8_t> pick;
};

// A kernel that stores its result where an operand was, if both have the same layout: the pair
// costs `gain` more where they have not.
struct InPlace {
  int from = 0, to = 0;  // variables
  Cost gain = 0;
};

// A variable that stands for two others, so that a kernel's cost may depend on these and on an
// operand: whether a form is taken, and how lies what the kernel makes.
struct Follower {
  int tensor = 0, made = 0;  // state: (form is taken) * states(made) + state of made
};

// The problem. A variable is a tensor whose layout is free, its states are sets of layouts; what a
// kernel costs is split over its result and the pairs of that with each operand. Where the kernel
// is another one in a form (layout/forms.h), costs depend on that form's tensor, too.
struct LayoutProblem {
  std::vector<ValueId> values;                  // of each variable that is a tensor
  std::vector<std::vector<LayoutSet>> layouts;  // its states; the first one is as the graph has it
  std::vector<int> form_of;                     // whose presence it decides; -1: none
  std::vector<Follower> followers;              // the other variables
  std::vector<LayoutRead> reads;
  std::vector<InPlace> in_place;
  Choice choice;
  Cost fixed = 0;  // of kernels that no variable touches

  // Whether a state of a tensor is the form that the graph does not have.
  bool takes_form(const Forms& forms, int variable, int state) const;
  // The states of tensors with those of all followers.
  std::vector<int> followed(const Forms& forms, std::vector<int> states) const;
};

// What the states of all variables say: about the graph in the forms that they take.
Layouts layouts_of(const LayoutProblem& problem, const std::vector<int>& states);
LayoutCopies copies_of(const LayoutProblem& problem, const std::vector<int>& states);
std::vector<int> forms_of(const LayoutProblem& problem, const Forms& forms,
                          const std::vector<int>& states);
bool shares_place(const LayoutProblem& problem, const InPlace& one, const std::vector<int>& states);

// Candidates: as it is; each dimension that some access reduces or runs along innermost moved to
// the end; the same in blocks of one vector (NCHW[x]c) where blocks are full. Of tensors that
// several kernels read, one of these with a copy in another, where the readers together could gain
// more than the copy costs. Of the tensor of a form, that it is not there.
LayoutProblem layout_problem(const KernelGraph& graph, const Forms& forms, const Hardware& hardware,
                             const LayoutOptions& options = {});

struct LayoutPlan {
  Layouts layouts;
  LayoutCopies copies;
  std::vector<int> forms;  // that are taken
  int doubtful = 0;        // forms that there are
  int in_place = 0;        // results that may lie where an operand was, since layouts agree
  int places = 0;          // results of which that is decided
  Solved solved;
  Cost at_once = 0;    // of the plan, every kernel asked once, with all its operands as it has them
  Cost row_major = 0;  // if nothing were changed
  Cost local = 0;      // if each tensor had what is best for the kernel that makes it
  Cost greedy = 0;     // if each had its first reader's reduction dimension innermost (SmartMem)
  Cost partition13 = 0, partition17 = 0;  // GCD2's heuristic, parts of so many operators
  int variables = 0;
  int choices_log2 = 0;  // of the number of all choices, rounded down
  bool operator==(const LayoutPlan&) const = default;
};

LayoutPlan plan_layouts(const KernelGraph& graph, const Forms& forms, const Hardware& hardware,
                        const LayoutOptions& options = {});

// The checker's count of a plan. The problem charges a kernel for each operand's layout beside that
// of its result; what depends on several operands at once (tiles that are lost, times that were
// measured) it can only charge for each of them.
Cost cost_at_once(const KernelGraph& graph, const Forms& forms, const LayoutPlan& plan,
                  const Hardware& hardware, const LayoutOptions& options);

// GCD2 IV-B: the graph in parts of at most `most` variables, cut at desirable edges where there are
// some, each solved alone. The states of all variables.
std::vector<int> partitioned(const Choice& choice, int most);

// One line per tensor that is not row-major, "'name' 0 2 3 1", or that a form is taken for.
std::string to_string(const LayoutPlan& plan, const Forms& forms);

}  // namespace burin

// Which sizes of the caller a tree serves: what its inputs declare, less what the checks of a run
// refuse and what 64 bits cannot count.
#pragma once

#include <string>
#include <vector>

#include "backends/model_plan.h"

namespace burin {

struct ServedSize {
  std::string name;
  int64_t min = 0, max = 0;  // between which the tree serves it
  bool some = false;         // not every size between them
  // Nothing bounds it but the tree, which serves so few that somebody will ask for more.
  bool narrow = false;
  std::string refused_by{};  // what a run checks where it is `some`, or one size of many
  bool operator==(const ServedSize&) const = default;
};

// In the order of the model. Checks of one size are tried at the first kMostTried sizes.
std::vector<ServedSize> served_sizes(const ModelPlan& plan);

// "batch 1, seq 1..512"; empty where no size is the caller's.
std::string served_text(const std::vector<ServedSize>& sizes);

// What every run checks of several of these sizes, as "; a run checks that they go together (number
// of elements of 'y' and 2 more)"; empty where there is no such check.
std::string together_text(const ModelPlan& plan);

// What to tell of sizes that are served more narrowly than they are declared.
std::vector<std::string> narrow_texts(const std::vector<ServedSize>& sizes, const ModelPlan& plan);

}  // namespace burin

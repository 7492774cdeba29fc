// Which blocks of a plan's loops run at which sizes of the caller: what a test at some sizes leaves
// untried. Code has versions by sizes, and ends of blocks that whole blocks do not have.
//
// Bodies of loops and branches are blocks. They are found by going through the control of the
// programs alone: of each loop the first point, the next and the last. What data decide counts as
// reached.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "verify/tried_sizes.h"

namespace burin {

class ReachedBlocks {
 public:
  // `plan` must outlive it. Kernels of equal content are looked at once.
  explicit ReachedBlocks(const ModelPlan& plan);

  size_t count() const { return blocks_.size(); }
  // By block, whether it runs at these sizes; takes what it evaluates off `work`, and stops at 0.
  std::vector<bool> at(const SampleSizes& sizes, int64_t& work) const;

 private:
  friend class BlockWalk;
  std::vector<const loops::Program*> programs_;
  std::map<const void*, size_t> blocks_;  // numbers of bodies, by their statements
  std::map<const void*, bool> splits_;  // of bodies: whether sizes or points decide what runs there
};

// Sizes beside `tried`, of those that `fit`, at which the most blocks run that run at none of
// these, in the order of what they add; at most so many. None for plans of more than 16 sizes.
std::vector<SampleSizes> sizes_that_reach_more(const ModelPlan& plan,
                                               const std::vector<SampleSizes>& tried, size_t most,
                                               const std::function<bool(const SampleSizes&)>& fit);

}  // namespace burin

// What a block of steps may not take for its own.
#pragma once

#include <map>
#include <set>

#include "kernel/kernel.h"

namespace burin {

// Of the tensors that the steps of a block touch.
struct Shared {
  // Outputs of the graph, and what any step outside the block's own list reads or writes, the
  // regions in the list included: tensors that others see.
  std::set<ValueId> values;
  // Steps of the whole graph that write a value. One that several write is state: it changes, and
  // reading it later is not reading it now.
  std::map<ValueId, int> writers;
};

// Who touches each tensor of a graph, while its blocks are rewritten one after the other: the work
// is that of the blocks, however many there are.
class Touched {
 public:
  explicit Touched(const KernelGraph& graph);

  // Takes a block out, to be rewritten, and puts it back. Regions in it do not change meanwhile.
  Shared take(const Steps& block);
  void put_back(const Steps& block) { count(block, 1); }

 private:
  void count(const Steps& block, int change);
  void count_regions(const Steps& steps);

  std::map<ValueId, int> blocks_;   // lists whose own steps read or write it, and other uses
  std::map<ValueId, int> writers_;  // steps that write it
};

}  // namespace burin

// One block by one policy, the best of all for policy best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "vliw/packer.h"

namespace burin::vliw {

// Nodes of the branch and bound for a whole module. A block may take its even share of what is
// left, and what earlier blocks did not need: large modules stay fast, small ones lose nothing.
class NodeBudget {
 public:
  NodeBudget(int64_t nodes, size_t blocks) : left_(nodes), blocks_(blocks) {}

  int64_t share(int64_t most) const {
    const int64_t even = left_ / static_cast<int64_t>(std::max<size_t>(blocks_, 1));
    return std::min(most, std::max(even, kLeast));
  }
  void spend(int64_t nodes) { left_ = std::max<int64_t>(0, left_ - nodes); }
  void block_done() { --blocks_; }

 private:
  static constexpr int64_t kLeast = 50;
  int64_t left_;
  size_t blocks_;
};

// Is a register not read behind the block, wherever control goes?
using DeadBehind = std::function<bool(int)>;

// loop: the block follows itself, so its cost is that of an iteration.
BlockReport pack_block(const Block& block, bool loop, Resources& resources,
                       const PackOptions& options, NodeBudget& budget, const DeadBehind& dead = {});

}  // namespace burin::vliw

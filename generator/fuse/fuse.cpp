// See fuse.h. Blocks are fused one by one; what another block, a procedure or a region reads stays
// a tensor.
#include "fuse/fuse.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/access/block_steps.h"
#include "fuse/access/shared.h"
#include "fuse/rewrites.h"
#include "kernel/index/index_limit.h"
#include "kernel/place_of.h"

namespace burin {
namespace {

constexpr int kMostRounds = 16;

bool is_on(const Rewrite& rewrite, const FuseOptions& options) {
  return (!rewrite.on || options.*rewrite.on) && (!rewrite.applies || rewrite.applies(options));
}

class BlockFuser {
 public:
  BlockFuser(Steps& steps, std::vector<Value>& values, const Shared& shared,
             const FuseOptions& options)
      : block_(steps, values, shared), options_(options) {}

  // All of a phase, each at every kernel.
  void run(Phase phase) {
    for (const Rewrite& rewrite : rewrites()) {
      if (rewrite.phase == phase) run(rewrite);
    }
  }

  void run_rounds() {
    // At first no epilogue reorders what siblings have in common; what found none gets it then.
    block_.keeps_siblings = options_.siblings;
    for (int round = 0; round < kMostRounds; ++round) {
      block_.changed = false;
      run(Phase::rounds);
      if (block_.changed) continue;
      if (!block_.keeps_siblings) break;
      block_.keeps_siblings = false;
    }
  }

  // A rewrite makes what it puts in place before it changes anything, so one that comes upon the
  // limits of indices is a rewrite that is not made.
  void run(const Rewrite& rewrite) {
    if (!rewrite.of_kernel || !is_on(rewrite, options_)) return;
    for (size_t i = 0; i < block_.size(); ++i) {
      const int at = static_cast<int>(rewrite.from_last ? block_.size() - 1 - i : i);
      const Kernel* one = block_.kernel(at);
      if (!one) continue;
      if (!options_.symbols && !fuses_without_sizes(*one)) continue;
      const Origins origins = one->origins;
      at_place(
          [&] { return place_of(origins); },
          [&] { (void)within_index_limits([&] { rewrite.of_kernel(block_, at, options_); }); });
    }
  }

  Steps take() { return block_.take(); }

 private:
  // Whether a fusion of static networks would take the kernel: its sizes are numbers, or it is a
  // map of one tensor that needs none.
  bool fuses_without_sizes(const Kernel& kernel) const {
    if (std::all_of(kernel.axes.begin(), kernel.axes.end(),
                    [](const Axis& axis) { return axis.extent.is_constant(); })) {
      return true;
    }
    if (!is_map(kernel) || kernel.writes.size() != 1) return false;
    const Write& write = kernel.writes[0];
    int loads = 0;
    bool same = true;
    visit(write.value, [&](const ExprNode& node) {
      if (node.kind != ExprKind::load) return;
      if (block_.value(node.id).kind == ValueKind::constant && node.at.empty()) return;
      ++loads;
      same = same && node.at == write.at;
    });
    return loads == 1 && same;
  }

  BlockSteps block_;
  const FuseOptions& options_;
};

// Every block by itself, those inside of it first.
template <class Run>
void fuse_block(KernelGraph& graph, Touched& touched, Steps& block, const FuseOptions& options,
                const Run& run) {
  for (Step& step : block) {
    if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      auto copy = std::make_shared<If>(**branch);
      *branch = copy;
      fuse_block(graph, touched, copy->then_steps, options, run);
      fuse_block(graph, touched, copy->else_steps, options, run);
    } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      auto copy = std::make_shared<Loop>(**loop);
      *loop = copy;
      fuse_block(graph, touched, copy->body, options, run);
    }
  }
  const Shared shared = touched.take(block);
  BlockFuser fuser(block, graph.values, shared, options);
  run(fuser);
  block = fuser.take();
  touched.put_back(block);
}

template <class Run>
void fuse_blocks(KernelGraph& graph, const FuseOptions& options, const Run& run) {
  Touched touched(graph);
  fuse_block(graph, touched, graph.steps, options, run);
}

// Those of a phase that are of the whole graph, or go through all blocks before the next one.
void run_one_by_one(KernelGraph& graph, Phase phase, const FuseOptions& options, Rewrites& made) {
  for (const Rewrite& rewrite : rewrites()) {
    if (rewrite.phase != phase || !is_on(rewrite, options)) continue;
    if (rewrite.of_graph) graph = rewrite.of_graph(std::move(graph), options, made);
    if (rewrite.of_kernel)
      fuse_blocks(graph, options, [&](BlockFuser& fuser) { fuser.run(rewrite); });
  }
}

}  // namespace

KernelGraph fuse(KernelGraph graph, const FuseOptions& options, Rewrites* made) {
  Rewrites unused;
  Rewrites& counted = made ? *made : unused;
  run_one_by_one(graph, Phase::before, options, counted);
  fuse_blocks(graph, options, [](BlockFuser& fuser) {
    fuser.run_rounds();
    fuser.run(Phase::once);
  });
  run_one_by_one(graph, Phase::constants, options, counted);
  // What reads the rows of products, and their copies.
  fuse_blocks(graph, options, [](BlockFuser& fuser) { fuser.run(Phase::end); });
  return graph;
}

}  // namespace burin

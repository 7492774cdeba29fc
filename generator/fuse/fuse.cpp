// See fuse.h. Blocks are fused one by one; what another block, a procedure or a region reads stays
// a tensor.
#include "fuse/fuse.h"

#include <algorithm>
#include <optional>
#include <set>
#include <type_traits>

#include "fuse/access/access.h"
#include "fuse/access/block_steps.h"
#include "fuse/access/known.h"
#include "fuse/access/opaque.h"
#include "fuse/access/shared.h"
#include "fuse/access/size.h"
#include "fuse/algebra/algebra.h"
#include "fuse/cascade/step_sums.h"
#include "fuse/cascades.h"
#include "fuse/constants/dequantised.h"
#include "fuse/constants/half_shifts.h"
#include "fuse/constants/known_product.h"
#include "fuse/constants/known_values.h"
#include "fuse/movement/behind_joins.h"
#include "fuse/movement/branch_fills.h"
#include "fuse/movement/checked_sizes.h"
#include "fuse/movement/epilogue.h"
#include "fuse/movement/fuse_copies.h"
#include "fuse/movement/joins.h"
#include "fuse/movement/narrow.h"
#include "fuse/movement/overwrites.h"
#include "fuse/movement/prologue.h"
#include "fuse/siblings/sibling_groups.h"
#include "kernel/index/index_limit.h"
#include "kernel/place_of.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int kMostRounds = 16;
// Nodes of an index that movement makes: one that is used several times in the next (a mirrored
// edge of a Pad) multiplies with every step of a chain.
constexpr int64_t kMostIndexNodes = 256;

class BlockFuser {
 public:
  BlockFuser(Steps& steps, std::vector<Value>& values, const Shared& shared,
             const FuseOptions& options)
      : block_(steps, values, shared), options_(options) {}

  Steps run() {
    // At first no epilogue reorders what siblings have in common; what found none gets it then.
    keeps_siblings_ = options_.siblings;
    for (int round = 0; round < kMostRounds; ++round) {
      block_.changed = false;
      if (options_.movement) {
        each(&burin::gather_pieces);
        each(&burin::join_overwrite);
        each(&BlockFuser::inline_movement);
        each(&burin::inline_known_pieces);
      }
      // Before epilogues: a map that dequantises would become a part of whoever makes the bytes.
      if (options_.integers && options_.integer_products) each(&burin::fuse_dequantised);
      if (options_.epilogue) each(&BlockFuser::fuse_epilogue);
      // Before prologues: a normalisation becomes one kernel, not a part of each of its readers.
      if (options_.rows) each(&burin::fuse_rows);
      if (options_.prologue) each(&BlockFuser::inline_prologue);
      if (options_.attention) each(&burin::fuse_attention);
      if (options_.attention) each(&burin::fuse_positions);
      if (options_.siblings) each(&burin::fuse_siblings);
      if (block_.changed) continue;
      if (!keeps_siblings_) break;
      keeps_siblings_ = false;
    }
    // Those that one kernel reads have found each other.
    if (options_.siblings && options_.working_set_bytes > 0) each(&burin::fuse_siblings_of_input);
    // Last: what looks for sums of products alone has found them.
    if (options_.factors) each(&burin::fuse_factor);
    // From the last: the part of a part. After all whose forms have rows, one of which may be left.
    if (options_.narrow) each(&burin::narrow, true);
    if (options_.chains && options_.small_operations > 0) each(&burin::fuse_chain);
    if (options_.concat_in_place && options_.epilogue) each(&burin::fuse_behind_join, true);
    // From the last: a concatenation takes in those that are parts of it.
    if (options_.concat_in_place) each(&burin::scatter_parts, true);
    if (options_.movement) {
      each(&burin::inline_join, true);
      each(&BlockFuser::inline_copied_join);
    }
    // What nobody has taken in.
    if (options_.concat_in_place) each(&burin::scatter_among_copies, true);
    return block_.take();
  }

  // After maps have become constants.
  Steps run_on_constants() {
    each(&BlockFuser::inline_constant);
    return block_.take();
  }

  // Once nobody else wants the sums.
  Steps run_at_steps() {
    each(&burin::fuse_step_sums);
    return block_.take();
  }

  // After everything else: what is left of concatenations, once rows are finished.
  Steps run_at_the_end() {
    if (options_.finish) each(&burin::fuse_finish);
    if (options_.back_to_back) each(&burin::fuse_back_to_back);
    if (options_.rides) each(&burin::ride_along);
    return block_.take();
  }

 private:
  // Every kernel of the block, by a rewrite of this class or a function.
  template <class Rewrite>
  void each(Rewrite rewrite, bool from_last = false) {
    for (size_t i = 0; i < block_.size(); ++i) {
      const int at = static_cast<int>(from_last ? block_.size() - 1 - i : i);
      const Kernel* one = block_.kernel(at);
      if (!one) continue;
      if (!options_.symbols && !fuses_without_sizes(*one)) continue;
      const std::vector<Origin> origins = one->origins;
      at_place([&] { return place_of(origins); }, [&] { try_rewrite(rewrite, at); });
    }
  }

  // A rewrite makes what it puts in place before it changes anything, so one that comes upon the
  // limits of indices is a rewrite that is not made.
  template <class Rewrite>
  void try_rewrite(Rewrite rewrite, int at) {
    (void)within_index_limits([&] {
      if constexpr (std::is_invocable_v<Rewrite, BlockSteps&, int>)
        rewrite(block_, at);
      else if constexpr (std::is_invocable_v<Rewrite, BlockSteps&, int, const FuseOptions&>)
        rewrite(block_, at, options_);
      else
        (this->*rewrite)(at);
    });
  }

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

  // --- Movement ---

  void inline_movement(int at) {
    Kernel map = *block_.kernel(at);
    // What is put beside a tensor may be a constant of one element: the value of a Pad.
    if (joins(map)) map.writes[0].value = with_literals(map.writes[0].value, block_.values());
    if (!is_movement(map) || joins(map) || !block_.reads_are_stable_from(at, map)) return;
    inline_into_all(at, map);
  }

  void inline_constant(int at) {
    if (is_generated(block_, *block_.kernel(at))) inline_movement(at);
  }

  bool stays_small(const Kernel& reader, ValueId result, const Kernel& map) const {
    return size_with(reader, result, map.writes[0].value) <= options_.most_nodes;
  }

  // Into every reader that is a kernel and stays small enough; the map goes when nobody is left.
  void inline_into_all(int at, const Kernel& map) {
    const ValueId result = map.writes[0].to;
    if (!block_.is_private(result)) return;
    const bool may_stay = has_bounds(block_.value(result).shape);
    const std::set<int> readers = block_.readers(result);
    for (const int reader : readers) {
      const Kernel* one = block_.kernel(reader);
      if (!one || !stays_small(*one, result, map)) continue;
      Kernel with = inlined(
          options_.simplify || !only_moves(map) ? *one : with_opaque_points(*one, result), map);
      if (!may_stay || longest_index(with) <= std::max(kMostIndexNodes, longest_index(*one)))
        block_.replace(reader, std::move(with));
    }
    if (block_.readers(result).empty()) block_.erase(at);
  }

  // --- Epilogue ---

  bool fuse_epilogue(int at) {
    const Kernel& map = *block_.kernel(at);
    if (!is_map(map)) return false;
    for (const ValueId from : reads_of(map)) {
      if (!block_.is_private(from) || block_.readers(from).size() != 1) continue;
      const int producer_at = *block_.writers(from).begin();
      const Kernel* producer = block_.kernel(producer_at);
      if (!producer || producer->lets.empty() || producer->writes.size() != 1) continue;
      // The fused kernel runs where the map did.
      if (!block_.reads_are_stable(*producer)) continue;
      std::optional<Kernel> fused = with_epilogue(*producer, map, from, block_.values(), options_);
      if (!fused || (keeps_siblings_ && fused->writes[0].at != producer->writes[0].at &&
                     has_sibling(block_, producer_at)))
        continue;
      block_.erase(producer_at);
      block_.replace(at, std::move(*fused));
      return true;
    }
    return false;
  }

  // --- Prologue ---

  void inline_prologue(int at) {
    // x * sigmoid(x) is an epilogue as soon as its parts are one map: once for every element.
    if (options_.epilogue && fuse_epilogue(at)) return;
    const Kernel map = *block_.kernel(at);
    if (!is_map(map) || joins(map) || !block_.reads_are_stable_from(at, map)) return;
    const ValueId result = map.writes[0].to;
    if (!block_.is_private(result) || block_.readers(result).empty()) return;
    // What rows are about to take stays where it is.
    if (options_.rows && is_end_of_rows(block_, at, options_)) return;
    bool all = true;
    for (const int reader : block_.readers(result)) {
      const Kernel* one = block_.kernel(reader);
      all = all && one && stays_small(*one, result, map) &&
            gains_by_prologue(block_, map, *one, options_);
    }
    if (all) inline_into_all(at, map);
  }

  // A concatenation that is copied after all, by maps that read it element by element: they read
  // its parts.
  void inline_copied_join(int at) {
    const Kernel join = *block_.kernel(at);
    if (!joins(join) || !block_.reads_are_stable(join)) return;
    const ValueId result = join.writes[0].to;
    const std::set<int> readers = block_.readers(result);
    const bool only_maps = std::all_of(readers.begin(), readers.end(), [&](int reader) {
      const Kernel* one = block_.kernel(reader);
      return one && is_map(*one) && load_points(*one, result).size() == 1 &&
             stays_small(*one, result, join);
    });
    if (only_maps) inline_into_all(at, join);
  }

  BlockSteps block_;
  const FuseOptions& options_;
  bool keeps_siblings_ = false;
};

void fuse_block(KernelGraph& graph, Touched& touched, Steps& block, const FuseOptions& options,
                Steps (BlockFuser::*run)()) {
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
  Steps fused = (fuser.*run)();
  block = std::move(fused);
  touched.put_back(block);
}

void fuse_blocks(KernelGraph& graph, const FuseOptions& options, Steps (BlockFuser::*run)()) {
  Touched touched(graph);
  fuse_block(graph, touched, graph.steps, options, run);
}

}  // namespace

KernelGraph fuse(KernelGraph graph, const FuseOptions& options, Rewrites* made) {
  graph = remove_dead(std::move(graph));
  if (!options.fast_math) graph = with_rounded_shifts(std::move(graph));
  if (options.symbols) graph = with_checked_sizes(std::move(graph));
  fuse_blocks(graph, options, &BlockFuser::run);
  graph = remove_dead(std::move(graph));
  Rewrites unused;
  Rewrites& rewrites = made ? *made : unused;
  // What reads them reads constants from here on.
  if (options.known_products)
    graph = with_known_products(std::move(graph), options.multiply_adds_per_byte, rewrites);
  if (options.hoist_constants) graph = with_known_values(std::move(graph), rewrites);
  // Before constants are computed: what it brings together is one of them.
  graph = rewrite_algebra(std::move(graph), options, rewrites);
  if (options.hoist_constants) {
    graph = hoist_constants(std::move(graph));
    if (options.movement) {
      fuse_blocks(graph, options, &BlockFuser::run_on_constants);
      graph = hoist_constants(std::move(graph));  // what they have made known
    }
  }
  if (options.fold_scales) graph = fold_scales(std::move(graph), options.fast_math);
  // Shifts that took a scale with them.
  if (options.hoist_constants && options.fold_scales) graph = hoist_constants(std::move(graph));
  if (options.early_fills) graph = with_early_fills(std::move(graph));
  if (options.step_sums) fuse_blocks(graph, options, &BlockFuser::run_at_steps);
  if (options.finished_bytes > 0) fuse_blocks(graph, options, &BlockFuser::run_at_the_end);
  return graph;
}

}  // namespace burin

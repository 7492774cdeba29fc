#include "fuse/inlining.h"

#include <algorithm>
#include <optional>
#include <set>

#include "fuse/access/access.h"
#include "fuse/access/access_size.h"
#include "fuse/access/known.h"
#include "fuse/access/opaque.h"
#include "fuse/access/products.h"
#include "fuse/cascades.h"
#include "fuse/constants/known_values.h"
#include "fuse/movement/concat_rewrites.h"
#include "fuse/movement/epilogue.h"
#include "fuse/movement/prologue.h"
#include "fuse/siblings/sibling_groups.h"
#include "kernel/index/index_limit.h"

namespace burin {
namespace {

// Nodes of an index that movement makes: one that is used several times in the next (a mirrored
// edge of a Pad) multiplies with every step of a chain.
constexpr int64_t kMostIndexNodes = 96;

bool stays_small(const FuseOptions& options, const Kernel& reader, ValueId result,
                 const Kernel& map) {
  return size_with(reader, result, map.writes[0].value) <= options.most_nodes;
}

// Into every reader that is a kernel and stays small enough; the map goes when nobody is left.
void inline_into_all(BlockSteps& block, int at, const Kernel& map, const FuseOptions& options) {
  const ValueId result = map.writes[0].to;
  if (!block.is_private(result)) return;
  const bool may_stay = has_bounds(block.value(result).shape);
  const std::set<int> readers = block.readers(result);
  for (const int reader : readers) {
    const Kernel* one = block.kernel(reader);
    if (!one || block.is_kept_apart(at, reader) || !stays_small(options, *one, result, map))
      continue;
    std::optional<Kernel> with = within_index_limits([&] {
      return inlined(options.simplify || !only_moves(map) ? *one : with_opaque_points(*one, result),
                     map);
    });
    if (with && may_stay && longest_index(*with) > std::max(kMostIndexNodes, longest_index(*one)))
      with.reset();
    with ? block.replace(reader, std::move(*with)) : block.keep_apart(at, reader);
  }
  if (block.readers(result).empty()) block.erase(at);
}

bool joins_producer(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel& map = *block.kernel(at);
  if (!is_map(map)) return false;
  for (const ValueId from : reads_of(map)) {
    if (!block.is_private(from) || block.readers(from).size() != 1) continue;
    const int producer_at = *block.writers(from).begin();
    const Kernel* producer = block.kernel(producer_at);
    if (!producer || producer->lets.empty() || producer->writes.size() != 1) continue;
    // The fused kernel runs where the map did.
    if (!block.reads_are_stable(*producer)) continue;
    std::optional<Kernel> fused = with_epilogue(*producer, map, from, block.values(), options);
    if (!fused || (block.keeps_siblings && fused->writes[0].at != producer->writes[0].at &&
                   has_sibling(block, producer_at)))
      continue;
    block.erase(producer_at);
    block.replace(at, std::move(*fused));
    return true;
  }
  return false;
}

}  // namespace

void inline_movement(BlockSteps& block, int at, const FuseOptions& options) {
  Kernel map = *block.kernel(at);
  // What is put beside a tensor may be a constant of one element: the value of a Pad.
  if (is_concat(map)) map.writes[0].value = with_literals(map.writes[0].value, block.values());
  if (!is_movement(map) || is_concat(map) || !block.reads_are_stable_from(at, map)) return;
  if (std::ranges::any_of(block.readers(map.writes[0].to), [&](int reader) {
        const Kernel* one = block.kernel(reader);
        return one != nullptr && hides_bf16(map, *one, block.values(), options);
      }))
    return;
  inline_into_all(block, at, map, options);
}

void inline_constant(BlockSteps& block, int at, const FuseOptions& options) {
  if (is_generated(block, *block.kernel(at))) inline_movement(block, at, options);
}

void fuse_epilogue(BlockSteps& block, int at, const FuseOptions& options) {
  joins_producer(block, at, options);
}

void inline_prologue(BlockSteps& block, int at, const FuseOptions& options) {
  // x * sigmoid(x) is an epilogue as soon as its parts are one map: once for every element.
  if (options.epilogue && joins_producer(block, at, options)) return;
  const Kernel map = *block.kernel(at);
  if (!is_map(map) || is_concat(map) || !block.reads_are_stable_from(at, map)) return;
  const ValueId result = map.writes[0].to;
  if (!block.is_private(result) || block.readers(result).empty()) return;
  // What rows are about to take stays where it is.
  if (options.rows && is_end_of_rows(block, at, options)) return;
  bool all = true;
  for (const int reader : block.readers(result)) {
    const Kernel* one = block.kernel(reader);
    all = all && one && stays_small(options, *one, result, map) &&
          gains_by_prologue(block, map, *one, options);
  }
  if (all) inline_into_all(block, at, map, options);
}

void inline_copied_concat(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel concat = *block.kernel(at);
  if (!is_concat(concat) || !block.reads_are_stable(concat)) return;
  const ValueId result = concat.writes[0].to;
  const std::set<int> readers = block.readers(result);
  const bool only_maps = std::all_of(readers.begin(), readers.end(), [&](int reader) {
    const Kernel* one = block.kernel(reader);
    return one && is_map(*one) && load_points(*one, result).size() == 1 &&
           stays_small(options, *one, result, concat);
  });
  if (only_maps) inline_into_all(block, at, concat, options);
}

}  // namespace burin

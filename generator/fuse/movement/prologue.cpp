#include "fuse/movement/prologue.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/access/products.h"
#include "fuse/access/recomputation.h"

namespace burin {
namespace {

// Whether a kernel with lets makes one of the values that a concatenation joins.
bool has_computed_part(BlockSteps& block, const Kernel& concat) {
  const std::vector<ValueId> parts = reads_of(concat);
  return std::any_of(parts.begin(), parts.end(), [&](ValueId id) {
    if (!block.is_private(id) || block.readers(id).size() != 1) return false;
    const Kernel* producer = block.kernel(*block.writers(id).begin());
    return producer && !producer->lets.empty();
  });
}

int source_bits(const BlockSteps& block, const Kernel& map) {
  int bits = 0;
  for (const ValueId id : reads_of(map)) {
    if (block.value(id).kind != ValueKind::constant ||
        product(block.value(id).shape) == product(block.value(map.writes[0].to).shape)) {
      bits += size_bits(block.value(id).type);
    }
  }
  return bits;
}

}  // namespace

bool gains_by_prologue(BlockSteps& block, const Kernel& map, const Kernel& reader,
                       const FuseOptions& options) {
  const ValueId result = map.writes[0].to;
  if (hides_bf16(map, reader, block.values(), options)) return false;
  const int64_t operations = count_operations(map.writes[0].value);
  if (operations == 0) return true;
  const bool cheap = operations <= options.recomputed_operations;
  if (is_generated(block, map) && cheap) return true;
  if (block.readers(result).size() > 1) return false;
  const std::vector<std::vector<Index>> points = load_points(reader, result);
  // Where another part of a concatenation can only be written in place, all of them are.
  if (is_concat(reader) && has_computed_part(block, reader)) return false;
  if (reader.lets.empty()) return points.size() == 1 || cheap;
  // In a factor: once for every use, whatever axes the other factor has.
  const double uses = uses_in_factor(reader, result, block.values());
  if (uses > 0 && (uses <= 1 || cheap)) return true;
  // In a let: once per point only where the load's index tells all the let's axes apart.
  int passes = 0;
  bool every_axis = true;
  const auto scan = [&](const Expr& expr, const std::vector<int>& axes) {
    bool here = false;
    visit(expr, [&](const ExprNode& node) {
      if (node.kind != ExprKind::load || node.id != result) return;
      here = true;
      for (const int axis : axes) {
        every_axis =
            every_axis && std::any_of(node.at.begin(), node.at.end(),
                                      [&](const Index& index) { return index.uses_axis(axis); });
      }
    });
    passes += here;
  };
  for (const Let& let : reader.lets) {
    std::vector<int> axes = let.over;
    axes.insert(axes.end(), let.reduced.begin(), let.reduced.end());
    for (const Expr& body : let.body) scan(body, axes);
  }
  for (const Write& write : reader.writes) scan(write.value, write.over);
  if (every_axis && passes == 1) return true;
  if (every_axis && cheap) return true;
  // Widening on the way: reading the narrow source several times is still less to read.
  return cheap && source_bits(block, map) * 2 <= size_bits(block.value(result).type);
}

bool is_generated(const BlockSteps& block, const Kernel& map) {
  const std::vector<ValueId> reads = reads_of(map);
  return std::all_of(reads.begin(), reads.end(),
                     [&](ValueId id) { return block.value(id).kind == ValueKind::constant; });
}

}  // namespace burin

#include "fuse/movement/concat_rewrites.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/access/access_size.h"
#include "fuse/access/recomputation.h"
#include "fuse/access/written_out.h"
#include "fuse/movement/concat_parts.h"
#include "fuse/movement/piece_index.h"

namespace burin {
namespace {

constexpr int kSlices = 4;  // between a tensor and the concatenation of its pieces

// The kernel that makes a value, where it is a movement of one load.
const Kernel* mover_of(BlockSteps& block, ValueId id) {
  if (!block.is_private(id)) return nullptr;
  const Kernel* maker = block.kernel(*block.writers(id).begin());
  return maker && is_movement(*maker) && !is_concat(*maker) && block.reads_are_stable(*maker)
             ? maker
             : nullptr;
}

int64_t count_choices(const Kernel& kernel) {
  int64_t count = 0;
  const auto on_node = [&](const ExprNode& node) { count += node.kind == ExprKind::cases; };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit(body, on_node);
  }
  for (const Write& write : kernel.writes) visit(write.value, on_node);
  return count;
}

}  // namespace

void gather_pieces(BlockSteps& block, int at) {
  Kernel map = *block.kernel(at);
  if (!is_concat(map)) return;
  for (int level = 0; level <= kSlices; ++level) {
    if (std::optional<Expr> one = one_access(map, block.values())) {
      map.writes[0].value = std::move(*one);
      block.replace(at, std::move(map));
      return;
    }
    std::vector<const Kernel*> movers;
    for (const ValueId id : reads_of(map)) {
      if (const Kernel* mover = mover_of(block, id)) movers.push_back(mover);
    }
    if (movers.empty()) return;
    map = inlined(map, movers);
    if (!is_concat(map)) return;
  }
}

void inline_known_pieces(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel map = *block.kernel(at);
  if (!is_concat(map) || !block.reads_are_stable(map)) return;
  const ValueId result = map.writes[0].to;
  if (!block.is_private(result)) return;
  const std::set<int> readers = block.readers(result);
  for (const int reader : readers) {
    const Kernel* one = block.kernel(reader);
    if (!one || size_with(*one, result, map.writes[0].value) > options.most_nodes) continue;
    Kernel with = inlined(*one, map);
    if (count_choices(with) > count_choices(*one)) {
      std::optional<Kernel> without_let = written_out(*one);
      if (!without_let) continue;
      with = inlined(*without_let, map);
      if (count_choices(with) > count_choices(*one)) continue;
    }
    block.replace(reader, std::move(with));
  }
  if (block.readers(result).empty()) block.erase(at);
}

void write_out_choices(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel& kernel = *block.kernel(at);
  // Most kernels have no such let: their expressions are not looked at in every round.
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1 || count_choices(kernel) == 0) return;
  std::optional<Kernel> out = written_out(kernel);
  if (out && count_choices(*out) == 0 && tree_size(out->writes[0].value) <= options.most_nodes)
    block.replace(at, std::move(*out));
}

namespace {

// A part that is a concatenation of its own, which nobody else reads.
int concat_among_parts(BlockSteps& block, const Kernel& map) {
  for (const ValueId id : reads_of(map)) {
    const int maker = block.only_maker(id);
    if (maker >= 0 && is_concat(*block.kernel(maker))) return maker;
  }
  return -1;
}

// The kernel that makes a part for the whole only, can write it anywhere, and runs when the place
// of the part in the whole, which `map` at `at` makes, is known; -1: there is none.
int writer_of(BlockSteps& block, const ConcatPart& place, const Kernel& map, int at) {
  const ValueId part = place.from;
  if (part == kNoValue) return -1;
  int loads = 0;  // what another part reads of it in another way has to be there as well
  visit(map.writes[0].value,
        [&](const ExprNode& node) { loads += node.kind == ExprKind::load && node.id == part; });
  if (loads != 1 || !block.is_private(part) || block.readers(part).size() != 1) return -1;
  const int producer = *block.writers(part).begin();
  const Kernel* one = block.kernel(producer);
  const bool may = one && one->writes.size() == 1 && one->writes[0].how == How::store &&
                   one->writes[0].when.empty();
  if (!may) return -1;
  std::vector<Symbol> used;
  for (const Index& index : place.at) index.collect_symbols(used);
  for (const Dim& dim : block.value(map.writes[0].to).shape) dim.collect_symbols(used);
  return block.binds_none(used, producer, at) ? producer : -1;
}

void scatter(BlockSteps& block, int at, bool boxes) {
  Kernel map = *block.kernel(at);
  if (!is_concat(map)) return;
  const ValueId whole = map.writes[0].to;
  if (block.writers(whole).size() != 1) return;
  std::vector<ConcatPart> parts = concat_parts(map, block.values(), boxes);
  std::vector<int> nested;
  // Where many are nested, several are taken in before it is seen whether the parts are still
  // parts.
  for (;;) {
    Kernel with = map;
    std::vector<int> taken;
    while (taken.size() <= nested.size() / 2) {
      const int inner = concat_among_parts(block, with);
      if (inner < 0) break;
      with = inlined(with, *block.kernel(inner));
      taken.push_back(inner);
    }
    if (taken.empty()) break;
    std::vector<ConcatPart> more = concat_parts(with, block.values(), boxes);
    if (more.empty()) break;
    map = std::move(with);
    parts = std::move(more);
    nested.insert(nested.end(), taken.begin(), taken.end());
  }
  std::vector<ConcatPart> left;
  std::vector<std::pair<int, Kernel>> writers;
  for (const ConcatPart& part : parts) {
    const int producer = writer_of(block, part, map, at);
    if (producer < 0) {
      left.push_back(part);
      continue;
    }
    Kernel one = *block.kernel(producer);
    Write& write = one.writes[0];
    const std::vector<Index> point = std::move(write.at);
    write.at.clear();
    for (const Index& index : part.at) write.at.push_back(index.substitute_axes(point));
    write.to = whole;
    merge_origins(one, map, false);
    writers.emplace_back(producer, std::move(one));
  }
  if (writers.empty()) return;
  // What nobody could write in place is copied.
  std::optional<Kernel> copied;
  if (!left.empty()) copied = copy_of_parts(map, left);
  // The inner concatenations are part of this one now; what they read is read by it alone.
  for (const int inner : nested) block.erase(inner);
  for (auto& [producer, one] : writers) block.replace(producer, std::move(one));
  copied ? block.replace(at, std::move(*copied)) : block.erase(at);
}

}  // namespace

std::vector<PartMaker> makers_of_parts(BlockSteps& block, int at) {
  const Kernel& map = *block.kernel(at);
  if (!is_concat(map) || block.writers(map.writes[0].to).size() != 1) return {};
  std::vector<PartMaker> out;
  for (ConcatPart& part : concat_parts(map, block.values())) {
    const int maker = writer_of(block, part, map, at);
    if (maker < 0) return {};
    out.push_back({std::move(part), maker});
  }
  return out;
}

bool writes_part_in_place(BlockSteps& block, int at, ValueId part) {
  const Kernel& map = *block.kernel(at);
  if (!is_concat(map) || block.writers(map.writes[0].to).size() != 1) return false;
  const std::vector<ConcatPart> parts = concat_parts(map, block.values(), true);
  return std::any_of(parts.begin(), parts.end(), [&](const ConcatPart& one) {
    return one.from == part && writer_of(block, one, map, at) >= 0;
  });
}

void scatter_parts(BlockSteps& block, int at) { scatter(block, at, false); }
void scatter_among_copies(BlockSteps& block, int at) { scatter(block, at, true); }

void inline_concat(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel map = *block.kernel(at);
  if (!is_concat(map) || !block.reads_are_stable(map)) return;
  const ValueId result = map.writes[0].to;
  if (!block.is_private(result)) return;
  const std::set<int> readers = block.readers(result);
  for (const int reader : readers) {
    const Kernel* one = block.kernel(reader);
    if (!one || size_with(*one, result, map.writes[0].value) > options.most_nodes) return;
    const double uses = uses_in_factor(*one, result, block.values());
    if (uses <= 0 || uses > 1) return;
  }
  for (const int reader : readers) block.replace(reader, inlined(*block.kernel(reader), map));
  block.erase(at);
}

}  // namespace burin

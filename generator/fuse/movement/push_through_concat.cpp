#include "fuse/movement/push_through_concat.h"

#include <algorithm>
#include <map>

#include "fuse/access/access.h"
#include "fuse/movement/concat_rewrites.h"
#include "fuse/movement/epilogue.h"

namespace burin {
namespace {

// The only reader of a value, a map that computes something from one load of it and else from
// constants and inputs; -1: there is none.
int map_behind(BlockSteps& block, ValueId whole) {
  if (!block.is_private(whole) || block.readers(whole).size() != 1) return -1;
  const int at = *block.readers(whole).begin();
  const Kernel* map = block.kernel(at);
  if (!map || !is_map(*map) || is_movement(*map) || load_points(*map, whole).size() != 1) return -1;
  bool plain = true;
  visit_indices(map->writes[0].value,
                [&](const Index& index) { plain = plain && !index.has_data(); });
  if (!plain) return -1;
  for (const ValueId id : reads_of(*map)) {
    const ValueKind kind = block.value(id).kind;
    if (id != whole && kind != ValueKind::constant && kind != ValueKind::input) return -1;
  }
  return at;
}

// What a map does to one part of what it reads, as a map of that part, which writes `to`.
std::optional<Kernel> map_of_part(const Kernel& map, ValueId whole, const ConcatPart& part,
                                  ValueId to, const BlockSteps& block) {
  Kernel out;
  out.name = map.name;
  out.origins = map.origins;
  Write write;
  write.at = add_point(part, out, write);
  const std::optional<std::vector<Index>> axes = invert(
      map, load_points(map, whole)[0], block.value(whole).shape, place_in_whole(part, write.at));
  if (!axes) return std::nullopt;
  const Expr own = Expr::load(part.from, block.value(part.from).type, write.at);
  const auto on_expr = [&](const Expr& expr) -> Expr {
    return expr.kind() == ExprKind::load && expr->id == whole ? own : expr;
  };
  const auto on_leaf = [&](const Index& leaf) -> Index {
    return leaf.kind() == IndexKind::axis ? (*axes)[static_cast<size_t>(leaf.axis_id())] : leaf;
  };
  write.value = rewrite(map.writes[0].value, on_expr, on_leaf);
  write.to = to;
  out.writes.push_back(std::move(write));
  return out;
}

// The concatenation of other parts, of the result of a map that is done to these.
Kernel concat_behind(const Kernel& concat, const Kernel& map,
                     const std::map<ValueId, ValueId>& made, const BlockSteps& block) {
  const ValueId whole = concat.writes[0].to;
  Kernel moved = map;
  moved.name = concat.name;
  moved.origins = concat.origins;
  moved.writes[0].value = Expr::load(whole, block.value(whole).type, load_points(map, whole)[0]);
  Kernel out = inlined(moved, concat);
  const Type type = block.value(map.writes[0].to).type;
  const auto on_expr = [&](const Expr& expr) -> Expr {
    return expr.kind() == ExprKind::load ? Expr::load(made.at(expr->id), type, expr->at) : expr;
  };
  out.writes[0].value =
      rewrite(out.writes[0].value, on_expr, [](const Index& leaf) { return leaf; });
  return out;
}

}  // namespace

void push_through_concat(BlockSteps& block, int at, const FuseOptions& options) {
  const std::vector<PartMaker> parts = makers_of_parts(block, at);
  // A part that is a concatenation itself takes part in this one later.
  if (parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const PartMaker& one) {
        return is_concat(*block.kernel(one.maker));
      }))
    return;
  const Kernel concat = *block.kernel(at);
  const ValueId whole = concat.writes[0].to;
  const int behind = map_behind(block, whole);
  if (behind < 0) return;
  const Kernel map = *block.kernel(behind);
  const std::vector<Symbol> used = symbols_of(Step(map));
  std::vector<Value>& values = block.values();
  const size_t before = values.size();
  std::map<ValueId, ValueId> made;
  std::vector<std::pair<int, Kernel>> makers;
  for (const auto& [part, maker] : parts) {
    Value value = values[static_cast<size_t>(part.from)];
    value.type = values[static_cast<size_t>(map.writes[0].to)].type;
    const auto to = static_cast<ValueId>(values.size());
    values.push_back(std::move(value));
    made.emplace(part.from, to);
    const std::optional<Kernel> own = map_of_part(map, whole, part, to, block);
    std::optional<Kernel> with;
    if (own && block.binds_none(used, maker, behind))
      with = with_epilogue(*block.kernel(maker), *own, part.from, values, options);
    if (!with) break;
    makers.emplace_back(maker, std::move(*with));
  }
  std::optional<Kernel> joined;
  if (makers.size() == parts.size()) joined = concat_behind(concat, map, made, block);
  if (!joined || !is_concat(*joined) || concat_parts(*joined, values).size() != parts.size()) {
    values.resize(before);
    return;
  }
  for (auto& [maker, with] : makers) block.replace(maker, std::move(with));
  block.erase(at);
  block.replace(behind, std::move(*joined));
}

}  // namespace burin

#include "select/schedule/pieces.h"

#include <iterator>

#include "select/axes/guards.h"

namespace burin {
namespace {

constexpr int kMostPieces = 12;  // loops that one loop may be cut into

bool uses_inner(const Index& index, const std::vector<LoopRange>& ranges, size_t depth) {
  for (size_t k = depth + 1; k < ranges.size(); ++k) {
    if (index.uses_axis(ranges[k].axis)) return true;
  }
  return false;
}

LoopNodes pieces(const std::vector<LoopRange>& ranges, size_t depth, Store store);

LoopNodes cut(const std::vector<LoopRange>& ranges, size_t depth, const Index& begin,
              const Index& end, Store store, int budget) {
  const int axis = ranges[depth].axis;
  if (proven_le(end, begin)) return {};
  for (const Condition& condition : conditions_of(store.value)) {
    if (budget < 3 || uses_inner(condition.index, ranges, depth)) continue;
    const std::optional<Bounds> bounds = bounds_of(condition, axis);
    if (!bounds) continue;
    const Index first = min(max(bounds->begin, begin), end);
    const Index second = min(max(bounds->end, first), end);
    Store outside = store, inside = store;
    outside.value = assume(store.value, condition, false);
    inside.value = assume(store.value, condition, true);
    LoopNodes out = cut(ranges, depth, begin, first, outside, budget / 3);
    append(out, cut(ranges, depth, first, second, inside, budget - 2 * (budget / 3)));
    append(out, cut(ranges, depth, second, end, outside, budget / 3));
    return out;
  }
  LoopNodes body = pieces(ranges, depth + 1, std::move(store));
  return {LoopNode{ForLoop{axis, begin, end, std::move(body)}}};
}

// The loop over ranges[depth], cut where conditions that it and the outer ones decide change.
LoopNodes pieces(const std::vector<LoopRange>& ranges, size_t depth, Store store) {
  if (depth == ranges.size()) return {LoopNode{std::move(store)}};
  Index begin = ranges[depth].begin, end = ranges[depth].end;
  take_bounds(store.when, ranges, depth, begin, end);
  return cut(ranges, depth, begin, end, std::move(store), kMostPieces);
}

}  // namespace

void append(LoopNodes& out, LoopNodes more) {
  out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void take_bounds(Guard& guard, const std::vector<LoopRange>& ranges, size_t depth, Index& begin,
                 Index& end) {
  Guard left;
  for (const Condition& condition : guard) {
    const bool decided = !uses_inner(condition.index, ranges, depth);
    const std::optional<Bounds> bounds =
        decided ? bounds_of(condition, ranges[depth].axis) : std::nullopt;
    if (bounds) {
      begin = max(begin, bounds->begin);
      end = min(end, bounds->end);
    } else {
      left.push_back(condition);
    }
  }
  guard = std::move(left);
}

LoopNodes loops_in_pieces(const std::vector<LoopRange>& ranges, Store store) {
  return pieces(ranges, 0, std::move(store));
}

}  // namespace burin

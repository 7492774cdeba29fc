#include "select/schedule/pieces.h"

#include <iterator>

#include "select/axes/guards.h"
#include "select/axes/pieces_along.h"

namespace burin {
namespace {

bool uses_inner(const Index& index, const std::vector<LoopRange>& ranges, size_t depth) {
  for (size_t k = depth + 1; k < ranges.size(); ++k) {
    if (index.uses_axis(ranges[k].axis)) return true;
  }
  return false;
}

// The loop over ranges[depth], cut where conditions that it and the outer ones decide change.
LoopNodes pieces(const std::vector<LoopRange>& ranges, size_t depth, Store store) {
  if (depth == ranges.size()) return {LoopNode{std::move(store)}};
  Index begin = ranges[depth].begin, end = ranges[depth].end;
  take_bounds(store.when, ranges, depth, begin, end);
  const auto moves = [&](const Index& index) { return uses_inner(index, ranges, depth); };
  LoopNodes out;
  for (AxisPiece& piece : pieces_along(ranges[depth].axis, begin, end, store.value, moves)) {
    Store there = store;
    there.value = std::move(piece.value);
    LoopNodes body = pieces(ranges, depth + 1, std::move(there));
    out.push_back(LoopNode{ForLoop{ranges[depth].axis, piece.begin, piece.end, std::move(body)}});
  }
  return out;
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

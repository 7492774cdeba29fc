#include "select/axes/pieces_along.h"

#include <iterator>
#include <optional>

#include "select/axes/guards.h"

namespace burin {
namespace {

using Moves = std::function<bool(const Index&)>;
using Pieces = std::vector<AxisPiece>;

// `more`: pieces that it may become beyond one; what is left of them is left to what comes next.
Pieces cut_along(int axis, const Index& begin, const Index& end, const Expr& value,
                 const Moves& moves, int& more) {
  for (const Condition& condition : conditions_of(value)) {
    if (moves(condition.index)) continue;
    const std::optional<Bounds> bounds = bounds_of(condition, axis);
    if (!bounds) continue;
    const Index first = min(max(bounds->begin, begin), end);
    const Index second = min(max(bounds->end, first), end);
    const bool before = !proven_le(first, begin), within = !proven_le(second, first),
               behind = !proven_le(end, second);
    const int parts = int{before} + int{within} + int{behind};
    if (parts > more + 1) continue;
    more -= parts - 1;
    const Expr outside = assume(value, condition, false);
    // Most points are inside: what they are cut into comes first.
    Pieces middle, last, out;
    if (within)
      middle = cut_along(axis, first, second, assume(value, condition, true), moves, more);
    if (behind) last = cut_along(axis, second, end, outside, moves, more);
    if (before) out = cut_along(axis, begin, first, outside, moves, more);
    for (Pieces* const part : {&middle, &last})
      out.insert(out.end(), std::make_move_iterator(part->begin()),
                 std::make_move_iterator(part->end()));
    return out;
  }
  return {{begin, end, value}};
}

}  // namespace

Pieces pieces_along(int axis, const Index& begin, const Index& end, const Expr& value,
                    const Moves& moves) {
  if (proven_le(end, begin)) return {};
  int more = kMostPieces - 1;
  return cut_along(axis, begin, end, value, moves, more);
}

}  // namespace burin

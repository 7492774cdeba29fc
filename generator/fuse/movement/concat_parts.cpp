#include "fuse/movement/concat_parts.h"

#include <algorithm>
#include <optional>

#include "fuse/access/digits.h"

namespace burin {
namespace {

constexpr size_t kMostPieces = 128;

struct Piece {
  Guard guard;
  Expr load;
};

// Both the guard and the condition, as one where they are about one index: choices in choices in
// choices would otherwise be as long as they are deep.
void narrow(Guard& guard, const Condition& by) {
  for (Condition& one : guard) {
    if (one.index != by.index) continue;
    const bool from = proven_le(one.lo, by.lo), to = proven_le(by.hi, one.hi);
    if (!from && !proven_le(by.lo, one.lo)) continue;
    if (!to && !proven_le(one.hi, by.hi)) continue;
    if (from) one.lo = by.lo;
    if (to) one.hi = by.hi;
    return;
  }
  guard.push_back(by);
}

// A choice as one list: the first piece whose guard holds. A choice inside a case asks for both
// guards.
bool flatten(const Expr& expr, const Guard& outer, std::vector<Piece>& out) {
  if (expr.kind() == ExprKind::load) {
    out.push_back({outer, expr});
    return out.size() <= kMostPieces;
  }
  if (expr.kind() != ExprKind::cases) return false;
  for (const Expr::Case& one : expr->cases) {
    Guard guard = outer;
    for (const Condition& condition : one.guard) narrow(guard, condition);
    if (!flatten(one.value, guard, out)) return false;
  }
  return flatten(expr->operands[0], outer, out);
}

// The value that guards leave an axis, where it is only one; part_of() looks whether it is right.
std::optional<Index> only_value(const Guard& guard, int axis, const Dim& extent,
                                const std::vector<Piece>& before) {
  if (extent.is_constant(1)) return Index(0);
  Index first = 0, end = extent;
  const auto each = [&](const Guard& of, const auto& body) {
    for (const Condition& one : of) {
      if (one.index.kind() == IndexKind::axis && one.index.axis_id() == axis) body(one);
    }
  };
  each(guard, [&](const Condition& one) {
    if (proven_le(first, one.lo)) first = one.lo;
    if (proven_le(one.hi, end)) end = one.hi;
  });
  // What comes last has what the others leave over.
  for (const Piece& piece : before) {
    each(piece.guard, [&](const Condition& one) {
      if (proven_le(first, one.hi) && proven_lt(one.hi, end)) first = one.hi;
    });
  }
  return end - first == Index(1) ? std::optional(first) : std::nullopt;
}

// The digit of an axis, less an offset, that an index may be; extents may be symbols. Whether it is
// one is seen where all digits are put in.
struct Place {
  Dim unit = 1;
  Index offset = 0;
};
std::optional<Place> place_in(const Index& index, int axis, const Dim& extent) {
  if (index.kind() != IndexKind::floordiv && index.kind() != IndexKind::mod) {
    const Index offset = index - Index::axis(axis, extent);
    if (offset.has_axes() || offset.has_data()) return std::nullopt;
    return Place{1, offset};
  }
  const Index& by = index.operands()[1];
  std::optional<Place> place = place_in(index.operands()[0], axis, extent);
  if (!place || by.has_axes() || by.has_data()) return std::nullopt;
  if (index.kind() == IndexKind::floordiv) place->unit *= by;
  return place;
}

// One axis of the whole from the part's point: what reads it along a dimension, less an offset, is
// a digit of it.
std::optional<Index> value_of_axis(int axis, const Dim& extent, const Piece& piece,
                                   const std::vector<Dim>& shape,
                                   const std::vector<Piece>& before) {
  struct Found {
    Dim unit;
    Index value;
    Index offset = 0;  // of the axis, before its digits are taken
  };
  std::vector<Found> found;
  for (size_t d = 0; d < shape.size(); ++d) {
    const Index& at = piece.load->at[d];
    if (!at.uses_axis(axis)) continue;
    // The part's own size may be symbolic, and the digit's place is then the whole axis.
    const Index own = Index::axis(axis, extent), offset = at - own;
    const Index point = Index::axis(static_cast<int>(d), shape[d]);
    if (!offset.has_axes() && !offset.has_data()) {
      found.push_back({1, point - offset});
      continue;
    }
    const std::optional<Digit> digit = digit_of(at - Index(at.constant_term()));
    if (digit && digit->axis == axis && digit->shift == 0) {
      found.push_back({digit->unit, point - Index(at.constant_term())});
      continue;
    }
    const std::optional<Place> place = place_in(at, axis, extent);
    if (!place) return std::nullopt;
    found.push_back({place->unit, point, place->offset});
  }
  if (found.empty()) return only_value(piece.guard, axis, extent, before);
  Index value = 0;
  for (const Found& one : found) {
    if (one.offset != found[0].offset) return std::nullopt;
    value += one.value * one.unit;
  }
  return value - found[0].offset;
}

bool outside(const Guard& guard) {
  return std::any_of(guard.begin(), guard.end(), [](const Condition& one) {
    return proven_lt(one.index, one.lo) || proven_le(one.hi, one.index);
  });
}

bool inside(const Guard& guard) {
  return std::all_of(guard.begin(), guard.end(), [](const Condition& one) {
    return proven_le(one.lo, one.index) && proven_lt(one.index, one.hi);
  });
}

// Where a piece's tensor lies in the whole, seen from its own points; nullopt unless it is seen
// that each of them is read at exactly that point and by that piece.
std::optional<ConcatPart> part_of(const Kernel& map, const std::vector<Piece>& pieces,
                                  size_t number, const std::vector<Value>& values) {
  const Piece& piece = pieces[number];
  const std::vector<Dim>& shape = values[static_cast<size_t>(piece.load->id)].shape;
  const std::vector<Piece> before(pieces.begin(),
                                  pieces.begin() + static_cast<std::ptrdiff_t>(number));
  std::vector<Index> axes;
  for (size_t a = 0; a < map.axes.size(); ++a) {
    const std::optional<Index> value =
        value_of_axis(static_cast<int>(a), map.axes[a].extent, piece, shape, before);
    if (!value) return std::nullopt;
    axes.push_back(*value);
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    if (piece.load->at[d].substitute_axes(axes) != Index::axis(static_cast<int>(d), shape[d]))
      return std::nullopt;
  }
  if (!inside(substitute_axes(piece.guard, axes))) return std::nullopt;
  for (const Piece& one : before) {
    if (!outside(substitute_axes(one.guard, axes))) return std::nullopt;
  }
  ConcatPart part{piece.load->id, shape, substitute_axes(piece.load, axes), {}};
  for (const Index& index : map.writes[0].at) part.at.push_back(index.substitute_axes(axes));
  return part;
}

struct Interval {
  Dim lo, hi;
};

// What is left of an axis without the points of a condition, where that is one interval.
bool without(Interval& points, const Condition& taken) {
  if (proven_le(taken.lo, points.lo) && proven_le(points.lo, taken.hi) &&
      proven_le(taken.hi, points.hi)) {
    points.lo = taken.hi;
    return true;
  }
  if (proven_le(points.hi, taken.hi) && proven_le(points.lo, taken.lo) &&
      proven_le(taken.lo, points.hi)) {
    points.hi = taken.lo;
    return true;
  }
  return false;
}

// The points at which a piece is chosen, where they are a box: an interval of every axis.
std::optional<std::vector<Interval>> box_of(const Kernel& map, const std::vector<Piece>& pieces,
                                            size_t number) {
  std::vector<Interval> box;
  for (const Axis& axis : map.axes) box.push_back({0, axis.extent});
  const auto interval = [&](const Condition& one) -> Interval* {
    if (one.index.kind() != IndexKind::axis || one.lo.has_axes() || one.hi.has_axes())
      return nullptr;
    return &box[static_cast<size_t>(one.index.axis_id())];
  };
  for (const Condition& one : pieces[number].guard) {
    Interval* points = interval(one);
    if (!points) return std::nullopt;
    if (proven_le(points->lo, one.lo)) points->lo = one.lo;
    if (proven_le(one.hi, points->hi)) points->hi = one.hi;
    if (!proven_le(one.lo, points->lo) || !proven_le(points->hi, one.hi)) return std::nullopt;
  }
  for (size_t k = 0; k < number; ++k) {
    std::vector<const Condition*> decides;  // what is not true, or false, everywhere in the box
    bool apart = false;
    for (const Condition& one : pieces[k].guard) {
      const Interval* points = interval(one);
      if (!points) return std::nullopt;
      apart = apart || proven_le(one.hi, points->lo) || proven_le(points->hi, one.lo);
      if (!proven_le(one.lo, points->lo) || !proven_le(points->hi, one.hi)) decides.push_back(&one);
    }
    if (apart) continue;
    if (decides.size() != 1 || !without(*interval(*decides[0]), *decides[0])) return std::nullopt;
  }
  return box;
}

// A piece as a box of the whole that is loaded from anywhere.
std::optional<ConcatPart> box_part(const Kernel& map, const std::vector<Piece>& pieces,
                                   size_t number) {
  const std::optional<std::vector<Interval>> box = box_of(map, pieces, number);
  if (!box) return std::nullopt;
  std::vector<Dim> shape;
  std::vector<Index> axes;
  for (const Interval& one : *box) {
    if (!proven_le(one.lo, one.hi)) return std::nullopt;
    shape.push_back(one.hi - one.lo);
    axes.push_back(Index::axis(static_cast<int>(axes.size()), shape.back()) + one.lo);
  }
  ConcatPart part{kNoValue, shape, substitute_axes(pieces[number].load, axes), {}};
  for (const Index& index : map.writes[0].at) part.at.push_back(index.substitute_axes(axes));
  return part;
}

}  // namespace

std::vector<ConcatPart> concat_parts(const Kernel& map, const std::vector<Value>& values,
                                     bool boxes) {
  const Write& write = map.writes[0];
  std::vector<Piece> pieces;
  if (write.value.kind() != ExprKind::cases || !flatten(write.value, {}, pieces)) return {};
  std::vector<ConcatPart> parts;
  Dim covered = 0;
  for (size_t k = 0; k < pieces.size(); ++k) {
    std::optional<ConcatPart> part = part_of(map, pieces, k, values);
    if (!part && boxes) part = box_part(map, pieces, k);
    if (!part) return {};
    covered += product(part->shape);
    parts.push_back(std::move(*part));
  }
  // Their places are different ones: as many as there are elements means all of them.
  if (covered != product(values[static_cast<size_t>(write.to)].shape)) return {};
  return parts;
}

std::vector<Index> add_point(const ConcatPart& part, Kernel& kernel, Write& write) {
  std::vector<Index> point;
  for (const Dim& dim : part.shape) {
    point.push_back(Index::axis(static_cast<int>(kernel.axes.size()), dim));
    if (point.back().kind() != IndexKind::axis) continue;
    write.over.push_back(point.back().axis_id());
    kernel.axes.push_back({dim, AxisKind::parallel, {}});
  }
  return point;
}

std::vector<Index> place_in_whole(const ConcatPart& part, const std::vector<Index>& point) {
  std::vector<Index> place;
  for (const Index& index : part.at) place.push_back(index.substitute_axes(point));
  return place;
}

Kernel copy_of_parts(const Kernel& map, const std::vector<ConcatPart>& parts) {
  Kernel copy;
  copy.name = map.name;
  copy.origins = map.origins;
  for (const ConcatPart& part : parts) {
    Write write;
    write.to = map.writes[0].to;
    const std::vector<Index> point = add_point(part, copy, write);
    write.at = place_in_whole(part, point);
    write.value = substitute_axes(part.value, point);
    copy.writes.push_back(std::move(write));
  }
  return copy;
}

}  // namespace burin

#include "fuse/concat.h"

#include <algorithm>
#include <optional>

#include "fuse/digits.h"

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

// One axis of the whole from the part's point: what reads it along a dimension, less an offset, is
// a digit of it.
std::optional<Index> value_of_axis(int axis, const Dim& extent, const Piece& piece,
                                   const std::vector<Dim>& shape,
                                   const std::vector<Piece>& before) {
  struct Found {
    int64_t unit;
    Index value;
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
    if (!digit || digit->axis != axis || digit->shift != 0) return std::nullopt;
    found.push_back({digit->unit, point - Index(at.constant_term())});
  }
  if (found.empty()) return only_value(piece.guard, axis, extent, before);
  Index value = 0;
  for (const Found& one : found) value += one.value * one.unit;
  return value;
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
  ConcatPart part{piece.load->id, {}};
  for (const Index& index : map.writes[0].at) part.at.push_back(index.substitute_axes(axes));
  return part;
}

}  // namespace

std::vector<ConcatPart> concat_parts(const Kernel& map, const std::vector<Value>& values) {
  const Write& write = map.writes[0];
  std::vector<Piece> pieces;
  if (write.value.kind() != ExprKind::cases || !flatten(write.value, {}, pieces)) return {};
  std::vector<ConcatPart> parts;
  Dim covered = 0;
  for (size_t k = 0; k < pieces.size(); ++k) {
    std::optional<ConcatPart> part = part_of(map, pieces, k, values);
    if (!part) return {};
    covered += product(values[static_cast<size_t>(part->from)].shape);
    parts.push_back(std::move(*part));
  }
  // Their places are different ones: as many as there are elements means all of them.
  if (covered != product(values[static_cast<size_t>(write.to)].shape)) return {};
  return parts;
}

Kernel copy_of_parts(const Kernel& map, const std::vector<ConcatPart>& parts,
                     const std::vector<Value>& values) {
  Kernel copy;
  copy.name = map.name;
  copy.origins = map.origins;
  for (const ConcatPart& part : parts) {
    Write write;
    write.to = map.writes[0].to;
    std::vector<Index> point;
    for (const Dim& dim : values[static_cast<size_t>(part.from)].shape) {
      const Index axis = Index::axis(static_cast<int>(copy.axes.size()), dim);
      if (axis.kind() == IndexKind::axis) {
        write.over.push_back(axis.axis_id());
        copy.axes.push_back({dim, AxisKind::parallel, {}});
      }
      point.push_back(axis);
    }
    for (const Index& index : part.at) write.at.push_back(index.substitute_axes(point));
    write.value = Expr::load(part.from, values[static_cast<size_t>(part.from)].type, point);
    copy.writes.push_back(std::move(write));
  }
  return copy;
}

}  // namespace burin

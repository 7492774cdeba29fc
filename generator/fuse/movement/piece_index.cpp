#include "fuse/movement/piece_index.h"

#include <algorithm>

namespace burin {
namespace {

constexpr size_t kMostIndexPieces = 64;

struct IndexPiece {
  Index begin, end;  // along the axis
  Expr load;
};

// The pieces of an expression along one axis, in order and without gaps; empty where it is
// something else.
std::vector<IndexPiece> pieces_of(const Expr& expr, int& axis) {
  std::vector<IndexPiece> out;
  if (expr.kind() != ExprKind::cases || expr->cases.size() >= kMostIndexPieces) return {};
  Index at = 0;
  Index extent = 0;
  for (const Expr::Case& one : expr->cases) {
    if (one.guard.size() != 1 || one.guard[0].index.kind() != IndexKind::axis) return {};
    const Condition& condition = one.guard[0];
    if (out.empty()) {
      axis = condition.index.axis_id();
      extent = condition.index.axis_extent();
    }
    if (condition.index.axis_id() != axis || condition.lo != at) return {};
    at = condition.hi;
    out.push_back({condition.lo, condition.hi, one.value});
  }
  out.push_back({at, extent, expr->operands[0]});
  for (const IndexPiece& piece : out) {
    if (piece.load.kind() != ExprKind::load || piece.load->id != out[0].load->id) return {};
  }
  return out;
}

// Whether a piece reads a dimension at `at`; a piece of one point says so at that point.
bool reads_at(const IndexPiece& piece, size_t d, const Index& at, const Index& i) {
  const Index apart = piece.load->at[d] - at;
  if (apart.is_constant(0)) return true;
  if (piece.end - piece.begin != Index(1)) return false;
  return apart.map_leaves([&](const Index& leaf) { return leaf == i ? piece.begin : leaf; })
      .is_constant(0);
}

// x[i + a] for i < n - a, then x[i + a - n].
std::optional<Expr> shift(const std::vector<IndexPiece>& pieces, const Index& i,
                          const std::vector<Dim>& shape) {
  if (pieces.size() != 2) return std::nullopt;
  const std::vector<Index>&first = pieces[0].load->at, &second = pieces[1].load->at;
  std::vector<Index> at = first;
  int shifted = 0;
  for (size_t d = 0; d < at.size(); ++d) {
    if (first[d] == second[d] && !first[d].uses_axis(i.axis_id())) continue;
    const Dim& n = shape[d];
    const Index by = n - pieces[0].end;
    if (by.has_axes() || by.has_data() || n != pieces[1].end ||
        !reads_at(pieces[0], d, i + by, i) || !reads_at(pieces[1], d, i + by - n, i))
      return std::nullopt;
    at[d] = mod(i + by, n);
    ++shifted;
  }
  if (shifted != 1) return std::nullopt;
  return Expr::load(pieces[0].load->id, pieces[0].load->storage, std::move(at));
}

// A function s * ((q // u) % v) with these values at q = 0, 1, ...
std::optional<Index> digit_of(const std::vector<int64_t>& values, const Index& q) {
  const auto count = static_cast<int64_t>(values.size());
  for (int64_t u = 1; u < count; ++u) {
    const int64_t s = values[static_cast<size_t>(u)];
    if (s == 0) continue;
    for (int64_t v = 2; v * u <= count; ++v) {
      bool all = true;
      for (int64_t k = 0; k < count; ++k)
        all = all && values[static_cast<size_t>(k)] == s * (k / u % v);
      if (all) return mod(floordiv(q, u), v) * s;
    }
  }
  return std::nullopt;
}

// Pieces of one size, whose places differ by constants that are digits of the piece's number.
std::optional<Expr> digits(const std::vector<IndexPiece>& pieces, const Index& i) {
  const Index size = pieces[0].end;
  if (!size.is_constant() || size.constant() < 1) return std::nullopt;
  const Index q = floordiv(i, size), r = mod(i, size);
  std::vector<Index> at;
  const std::vector<Index>& first = pieces[0].load->at;
  for (size_t d = 0; d < first.size(); ++d) {
    std::vector<int64_t> constants, along;
    for (size_t k = 0; k < pieces.size(); ++k) {
      const IndexPiece& piece = pieces[k];
      if (piece.end - piece.begin != size) return std::nullopt;
      const Index apart = piece.load->at[d] - first[d];
      // i - k*size, or what does not depend on the axis.
      if (!apart.is_constant()) return std::nullopt;
      constants.push_back(apart.constant());
      along.push_back(-static_cast<int64_t>(k) * size.constant());
    }
    const bool none =
        std::all_of(constants.begin(), constants.end(), [](int64_t c) { return c == 0; });
    if (first[d].uses_axis(i.axis_id())) {
      if (constants != along || (first[d] - i).uses_axis(i.axis_id())) return std::nullopt;
      at.push_back(first[d] - i + r);
    } else if (none) {
      at.push_back(first[d]);
    } else if (const std::optional<Index> digit = digit_of(constants, q)) {
      at.push_back(first[d] + *digit);
    } else {
      return std::nullopt;
    }
  }
  return Expr::load(pieces[0].load->id, pieces[0].load->storage, std::move(at));
}

}  // namespace

std::optional<Expr> one_access(const Kernel& map, const std::vector<Value>& values) {
  int axis = -1;
  const std::vector<IndexPiece> pieces = pieces_of(map.writes[0].value, axis);
  if (pieces.size() < 2) return std::nullopt;
  const Index i = Index::axis(axis, map.axes[static_cast<size_t>(axis)].extent);
  if (auto shifted = shift(pieces, i, values[static_cast<size_t>(pieces[0].load->id)].shape))
    return shifted;
  return digits(pieces, i);
}

}  // namespace burin

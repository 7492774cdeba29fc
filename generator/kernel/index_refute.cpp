// Counterexamples to a <= b: the values of both at a few points.
//
// Most inequalities that are asked for do not hold, and a search for a proof tries everything
// before it gives up. A point where one fails ends the question. Every symbol, axis and datum takes
// a value within its bounds, the same one wherever it occurs, so that a proof and a counterexample
// never stand side by side.
#include <algorithm>

#include "kernel/index_node.h"

namespace burin {
namespace {

constexpr unsigned kPoints = 6;
constexpr int64_t kFar = 1021;  // stands for the end of what is not bounded; a prime

// Which of a leaf's values a point takes: the first points are corners, at the others it depends on
// the leaf.
int64_t pick(int64_t lo, int64_t hi, unsigned point, size_t hash) {
  const bool open = hi == kUnbounded;
  const int64_t last = open ? saturating_add(lo, kFar) : hi;
  const int64_t second = std::min(saturating_add(lo, 1), last);
  switch (point) {
    case 0:
      return lo;
    case 1:
      return last;
    case 2:
      return second;
    default: {
      const size_t bits = (hash * 0x9e3779b97f4a7c15ull) >> (20 + 8 * point);
      return bits % 4 == 0 ? lo : bits % 4 == 1 ? last : bits % 4 == 2 ? second : lo / 2 + last / 2;
    }
  }
}

// The value of an index at a point; false where there is none: an axis without elements, a division
// by 0, a number beyond 64 bits.
class Evaluation {
 public:
  explicit Evaluation(unsigned point, bool inner) : point_(point), inner_(inner) {}

  bool of(const Index& index, int64_t& out) const {
    const IndexNode& node = index.node();
    switch (node.kind) {
      case IndexKind::constant:
        out = node.value;
        return true;
      case IndexKind::symbol:
        out = pick(node.symbol->min, node.symbol->max, point_, node.hash);
        return !node.symbol->most || clipped(*node.symbol, out);
      case IndexKind::data:
        out = pick(node.range.lo, node.range.hi, point_, node.hash);
        return true;
      case IndexKind::axis: {
        int64_t extent = 0;
        if (!of(node.operands[0], extent) || extent < 1) return false;
        // Not the hash: it takes part in the extent, which one axis may have in several forms.
        const auto id = static_cast<size_t>(node.value) + 1;
        out = pick(0, extent - 1, inner_ ? (point_ + 1) % kPoints : point_, id);
        return true;
      }
      case IndexKind::polynomial:
        return sum(node, out);
      case IndexKind::floordiv:
      case IndexKind::mod: {
        int64_t a = 0, b = 0;
        if (!of(node.operands[0], a) || !of(node.operands[1], b) || b <= 0) return false;
        out = node.kind == IndexKind::mod ? floor_modulo(a, b) : floor_divide(a, b);
        return true;
      }
      case IndexKind::min:
      case IndexKind::max:
        return extreme(node, out);
    }
    return false;
  }

 private:
  // To what the bound is at the same point.
  bool clipped(const SymbolInfo& symbol, int64_t& out) const {
    int64_t most = 0;
    if (!of(*symbol.most, most) || most < symbol.min) return false;
    out = std::min(out, most);
    return true;
  }

  bool sum(const IndexNode& node, int64_t& out) const {
    out = node.value;
    for (const Index::Term& term : node.terms) {
      int64_t product = term.coefficient;
      for (const Index& atom : term.atoms) {
        int64_t value = 0;
        if (!of(atom, value) || __builtin_mul_overflow(product, value, &product)) return false;
      }
      if (__builtin_add_overflow(out, product, &out)) return false;
    }
    return true;
  }

  bool extreme(const IndexNode& node, int64_t& out) const {
    for (size_t i = 0; i < node.operands.size(); ++i) {
      int64_t value = 0;
      if (!of(node.operands[i], value)) return false;
      const bool better = node.kind == IndexKind::min ? value < out : value > out;
      if (i == 0 || better) out = value;
    }
    return true;
  }

  unsigned point_;
  bool inner_;  // axes are elsewhere than symbols: at their ends where these are in between
};

}  // namespace

bool refuted_le(const Index& a, const Index& b, int64_t slack) {
  for (unsigned point = 0; point < kPoints; ++point) {
    for (const bool inner : {false, true}) {
      const Evaluation value(point, inner);
      int64_t left = 0, right = 0, difference = 0;
      if (!value.of(a, left) || !value.of(b, right) ||
          __builtin_sub_overflow(right, left, &difference))
        continue;
      if (difference < slack) return true;
    }
  }
  return false;
}

}  // namespace burin

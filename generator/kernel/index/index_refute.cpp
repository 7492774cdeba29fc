// Counterexamples to a <= b: the values of both at a few points.
//
// Most inequalities that are asked for do not hold, and a search for a proof tries everything
// before it gives up. A point where one fails ends the question. Every symbol, axis and datum takes
// a value within its bounds, the same one wherever it occurs, so that a proof and a counterexample
// never stand side by side.
#include <algorithm>
#include <array>
#include <optional>

#include "kernel/index/index_node.h"

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

}  // namespace

struct PointValues {
  // Nothing where there is no value: an axis without elements, a division by 0, a number beyond 64
  // bits.
  using Value = std::optional<int64_t>;
  // [point][1]: axes are elsewhere than symbols, at their ends where these are in between.
  std::array<std::array<Value, 2>, kPoints> values;
};

namespace {

using PointValue = PointValues::Value;

const PointValues& points_of(const Index& index);

// The value of an index at one point.
class Evaluation {
 public:
  explicit Evaluation(unsigned point, bool inner) : point_(point), inner_(inner) {}

  PointValue of(const Index& index) const { return points_of(index).values[point_][inner_]; }

  PointValue compute(const IndexNode& node) const {
    switch (node.kind) {
      case IndexKind::constant:
        return node.value;
      case IndexKind::symbol: {
        const int64_t free = pick(node.symbol->min, node.symbol->max, point_, node.hash);
        return node.symbol->most ? clipped(*node.symbol, free) : free;
      }
      case IndexKind::data:
        return pick(node.range.lo, node.range.hi, point_, node.hash);
      case IndexKind::axis: {
        const PointValue extent = of(node.operands[0]);
        if (!extent || *extent < 1) return std::nullopt;
        // Not the hash: it takes part in the extent, which one axis may have in several forms.
        const auto id = static_cast<size_t>(node.value) + 1;
        return pick(0, *extent - 1, inner_ ? (point_ + 1) % kPoints : point_, id);
      }
      case IndexKind::polynomial:
        return sum(node);
      case IndexKind::floordiv:
      case IndexKind::mod: {
        const PointValue a = of(node.operands[0]), b = of(node.operands[1]);
        if (!a || !b || *b <= 0) return std::nullopt;
        return node.kind == IndexKind::mod ? floor_modulo(*a, *b) : floor_divide(*a, *b);
      }
      case IndexKind::min:
      case IndexKind::max:
        return extreme(node);
    }
    return std::nullopt;
  }

 private:
  // To what the bound is at the same point.
  PointValue clipped(const SymbolInfo& symbol, int64_t free) const {
    const PointValue most = of(*symbol.most);
    if (!most || *most < symbol.min) return std::nullopt;
    return std::min(free, *most);
  }

  PointValue sum(const IndexNode& node) const {
    int64_t out = node.value;
    for (const Index::Term& term : node.terms) {
      int64_t product = term.coefficient;
      for (const Index& atom : term.atoms) {
        const PointValue value = of(atom);
        if (!value || __builtin_mul_overflow(product, *value, &product)) return std::nullopt;
      }
      if (__builtin_add_overflow(out, product, &out)) return std::nullopt;
    }
    return out;
  }

  PointValue extreme(const IndexNode& node) const {
    int64_t out = 0;
    for (size_t i = 0; i < node.operands.size(); ++i) {
      const PointValue value = of(node.operands[i]);
      if (!value) return std::nullopt;
      const bool better = node.kind == IndexKind::min ? *value < out : *value > out;
      if (i == 0 || better) out = *value;
    }
    return out;
  }

  unsigned point_;
  bool inner_;
};

const PointValues& points_of(const Index& index) { return index.node().points.of(index.node()); }

}  // namespace

PointCache::~PointCache() { delete values_.load(); }

const PointValues& PointCache::of(const IndexNode& node) const {
  if (const PointValues* known = values_.load()) return *known;
  auto own = std::make_unique<PointValues>();
  for (unsigned point = 0; point < kPoints; ++point) {
    for (const bool inner : {false, true})
      own->values[point][inner] = Evaluation(point, inner).compute(node);
  }
  const PointValues* first = nullptr;
  // Another thread may have been faster; what it found is the same.
  return values_.compare_exchange_strong(first, own.get()) ? *own.release() : *first;
}

bool refuted_le(const Index& a, const Index& b, int64_t slack) {
  const PointValues &left = points_of(a), &right = points_of(b);
  for (unsigned point = 0; point < kPoints; ++point) {
    for (const bool inner : {false, true}) {
      const PointValue l = left.values[point][inner], r = right.values[point][inner];
      int64_t difference = 0;
      if (!l || !r || __builtin_sub_overflow(*r, *l, &difference)) continue;
      if (difference < slack) return true;
    }
  }
  return false;
}

bool refuted_remainder(const Index& a, const Index& b, const Index& remainder) {
  const PointValues &of = points_of(a), &by = points_of(b), &left = points_of(remainder);
  for (unsigned point = 0; point < kPoints; ++point) {
    for (const bool inner : {false, true}) {
      const PointValue x = of.values[point][inner], m = by.values[point][inner],
                       r = left.values[point][inner];
      if (x && m && r && *m > 0 && floor_modulo(*x, *m) != *r) return true;
    }
  }
  return false;
}

}  // namespace burin

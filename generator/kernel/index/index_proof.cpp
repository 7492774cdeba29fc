// Proofs of a <= b, and what they may cost.
//
// Nothing is proven of which a counterexample is seen (index_refute.cpp): a search that must fail
// would try everything.
//
// A proof looks at d = b - a, first by interval arithmetic, then symbolically: every axis is put at
// the end of its range that makes d smallest, every symbol S is written as min + S' with S' >= 0,
// and d >= 0 holds when no negative coefficient is left (so N*W - W >= 0 follows from N >= 1).
//
// Where that fails, one atom is replaced by a bound that can only make d smaller, and the proof
// starts again: x // c lies between (x - c + 1) / c and x / c, and k * (x // (k*c)) between
// x // c - k + 1 and x // c; x % c is at most c - 1 and, for x >= 0, at most x; min and max are at
// most and at least each of their operands; a dynamic size that the caller's sizes bound is at
// most that. So the last window of a convolution ends inside: 2*((H - 3) // 2) + 2 <= H - 1, and
// every second row is one: 2*((H + 31) // 32) - 2 < (H + 15) // 16. A few replacements are enough;
// the work of one proof is counted and bounded.
#include <algorithm>
#include <numeric>

#include "kernel/index/index_limit.h"
#include "kernel/index/index_node.h"

namespace burin {
namespace {

// What the outermost operation of this thread has left; negative: there is none.
thread_local int64_t effort_left = -1;

constexpr int kReplacements = 3;  // in one chain
constexpr size_t kTerms = 40;     // of all expressions looked at, per length of chain
constexpr size_t kQuickTerms = 50;

// Writes every symbol S as min + S', S' >= 0.
Dim shifted(const Dim& dim) {
  return dim.map_leaves([](const Index& leaf) -> Index {
    if (leaf.kind() != IndexKind::symbol) return leaf;
    const SymbolInfo& info = *leaf.as_symbol();
    if (info.min == 0 || info.min == std::numeric_limits<int64_t>::min()) return leaf;
    SymbolInfo moved = info;
    moved.min = 0;
    moved.max = info.max == kUnbounded ? kUnbounded : saturating_add(info.max, -info.min);
    moved.most = nullptr;
    return Index::symbol(std::make_shared<const SymbolInfo>(std::move(moved))) + info.min;
  });
}

// One occurrence of an atom: d = rest + factor * atom, where factor has a known sign.
struct Occurrence {
  const Index& atom;
  Index rest, factor;
  bool positive;
  int64_t coefficient;  // of the factor
};

bool has_bounds(const Index& atom) {
  if (atom.kind() == IndexKind::symbol) return has_bound_of_caller(*atom.as_symbol());
  return !atom.operands().empty() && atom.kind() != IndexKind::axis;
}

bool is_extremum(const Index& atom) {
  return atom.kind() == IndexKind::min || atom.kind() == IndexKind::max;
}

class Prover {
 public:
  explicit Prover(size_t terms) : left_(terms) {}
  bool nonnegative(const Index& d, int depth);

 private:
  bool holds_with_bound(const Occurrence& at, int depth);
  bool holds_with_finer_quotient(const Occurrence& at, int depth);
  bool holds_after_a_replacement(const Index& d, int depth);

  size_t left_;  // terms that may still be looked at
};

// Part of the coefficient goes into the divisor.
bool Prover::holds_with_finer_quotient(const Occurrence& at, int depth) {
  const Index &x = at.atom.operands()[0], &c = at.atom.operands()[1];
  if (!c.is_constant()) return false;
  const int64_t common = std::gcd(at.coefficient, c.constant());
  if (common < 2) return false;
  const Index finer = floordiv(x, c.constant() / common);
  const Index factor = floordiv(at.factor, common);
  return nonnegative(at.rest + factor * (at.positive ? finer - (common - 1) : finer), depth);
}

bool Prover::holds_with_bound(const Occurrence& at, int depth) {
  const auto with = [&](const Index& bound) {
    return nonnegative(at.rest + at.factor * bound, depth);
  };
  const std::vector<Index>& operands = at.atom.operands();
  switch (at.atom.kind()) {
    case IndexKind::symbol:
      return !at.positive && with(*at.atom.as_symbol()->most);
    case IndexKind::floordiv: {
      const Index &x = operands[0], &c = operands[1];
      if (c.range().lo <= 0) return false;
      if (holds_with_finer_quotient(at, depth)) return true;
      return nonnegative(at.rest * c + at.factor * (at.positive ? x - c + 1 : x), depth);
    }
    case IndexKind::mod: {
      const Index &x = operands[0], &c = operands[1];
      if (c.range().lo <= 0) return false;
      if (at.positive) return with(0);
      return with(c - 1) || (nonnegative(x, depth) && with(x));
    }
    case IndexKind::min:
    case IndexKind::max: {
      const bool any = (at.atom.kind() == IndexKind::max) == at.positive;
      return any ? std::any_of(operands.begin(), operands.end(), with)
                 : std::all_of(operands.begin(), operands.end(), with);
    }
    default:
      return false;
  }
}

// At depth 0 only the first minimum or maximum is replaced: cheap, and often enough.
bool Prover::holds_after_a_replacement(const Index& d, int depth) {
  for (const Index::Term& term : d.terms()) {
    for (size_t a = 0; a < term.atoms.size(); ++a) {
      const Index& atom = term.atoms[a];
      if (!has_bounds(atom)) continue;
      if (depth == 0 && !is_extremum(atom)) continue;
      if (Effort::spent()) return false;
      std::vector<Index> others = term.atoms;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
      if (std::any_of(others.begin(), others.end(),
                      [](const Index& other) { return other.range().lo < 0; }))
        continue;
      const Index factor = others.empty()
                               ? Index(term.coefficient)
                               : IndexBuilder::polynomial({{term.coefficient, others}}, 0);
      const Occurrence at{atom, d - factor * atom, factor, term.coefficient > 0, term.coefficient};
      if (holds_with_bound(at, std::max(0, depth - 1))) return true;
      if (depth == 0) return false;
    }
  }
  return false;
}

bool Prover::nonnegative(const Index& d, int depth) {
  if (d.range().lo >= 0) return true;
  if (d.is_constant() || left_ < d.terms().size()) return false;
  if (d.node().hard || !Effort::spend(d.node().written)) return false;
  left_ -= d.terms().size();
  const std::optional<Dim> smallest = d.lower_bound();
  if (smallest) {
    if (smallest->range().lo >= 0) return true;
    if (shifted(*smallest).range().lo >= 0) return true;
  }
  if (smallest && holds_after_a_replacement(*smallest, depth)) return true;
  return depth > 0 && !(smallest && *smallest == d) && holds_after_a_replacement(d, depth);
}

// The ends of int64 stand for no bound; their difference with another number is not one.
bool beyond(const Index& a, const Index& b) {
  return b.is_constant(kUnbounded) || a.is_constant(-kUnbounded) || a.is_constant(-kUnbounded - 1);
}

// By their ranges alone.
bool surely_apart(const Index& a, const Index& b, int64_t slack) {
  return a.range().hi != kUnbounded && saturating_add(a.range().hi, slack) <= b.range().lo;
}

// b - a - slack >= 0. A difference beyond 64 bits is not known.
bool proven(const Index& a, const Index& b, int64_t slack, bool quick) {
  if (a.is_constant() && b.is_constant()) {
    return slack == 0 ? a.constant() <= b.constant() : a.constant() < b.constant();
  }
  if (beyond(b, a)) return slack == 0 && a == b;
  if (beyond(a, b)) return true;
  const Effort effort(kEffort);
  if (Effort::spent()) return surely_apart(a, b, slack);
  if (Effort::spend(a.node().written + b.node().written) && refuted_le(a, b, slack)) return false;
  const auto prove = [&] {
    const Index d = b - a - slack;
    if (quick) return Prover(kQuickTerms).nonnegative(d, 0);
    for (int depth = 0; depth <= kReplacements; ++depth) {
      if (Prover(kTerms).nonnegative(d, depth)) return true;
    }
    return false;
  };
  return within_index_limits(prove).value_or(false);
}

}  // namespace

Effort::Effort(int64_t nodes) : outermost_(effort_left < 0) {
  if (outermost_) effort_left = nodes;
}

Effort::~Effort() {
  if (outermost_) effort_left = -1;
}

bool Effort::spend(int64_t nodes) {
  const bool enough = effort_left >= nodes;
  effort_left = enough ? effort_left - nodes : 0;
  return enough;
}

bool Effort::spent() { return effort_left == 0; }

void Effort::check() {
  if (spent()) throw IndexLimit(Diagnostic{{}, "limit", "an index takes too much work", {}});
}

bool proven_le(const Index& a, const Index& b) { return proven(a, b, 0, false); }
bool proven_lt(const Index& a, const Index& b) { return proven(a, b, 1, false); }
bool quickly_proven_le(const Index& a, const Index& b) { return proven(a, b, 0, true); }
bool quickly_proven_lt(const Index& a, const Index& b) { return proven(a, b, 1, true); }

bool proven_ne(const Index& a, const Index& b) { return proven_lt(a, b) || proven_lt(b, a); }

}  // namespace burin

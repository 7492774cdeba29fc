// The algebra of floordiv, mod, min and max: strength reduction (SmartMem 3.2.1, Figure 3) and its
// symbolic extension.
//
// Both floordiv(a, b) and mod(a, b) start from one decomposition a = b*Q + R:
//   floordiv(a, b) = Q + floordiv(R, b),  mod(a, b) = mod(R, b).
// Then R is reduced: 0 <= R < b ends it; a factor g of b that divides a part X of R while the rest
// r lies in [0, g) splits: (g*X + r) // (g*m) = X // m and (g*X + r) % (g*m) = g*(X % m) + r.
#include <algorithm>
#include <numeric>

#include "kernel/index/index_node.h"

namespace burin {
namespace {

using Term = Index::Term;

struct Split {
  Index quotient;
  Index rest;
};

// atoms / divisor, where divisor's atoms are all contained in atoms.
std::optional<std::vector<Index>> divide_atoms(const std::vector<Index>& atoms,
                                               const std::vector<Index>& divisor) {
  std::vector<Index> left;
  size_t d = 0;
  for (const Index& atom : atoms) {
    if (d < divisor.size() && compare(atom, divisor[d]) == 0) {
      ++d;
    } else {
      left.push_back(atom);
    }
  }
  if (d < divisor.size()) return std::nullopt;
  return left;
}

Index from_term(int64_t coefficient, const std::vector<Index>& atoms) {
  if (atoms.empty()) return coefficient;
  return IndexBuilder::polynomial({{coefficient, atoms}}, 0);
}

// The same with the nearest multiple of d out of every coefficient, where the rest then lies in
// [-d, d) and did not before: (1397*i + j) // 699 = 2*i + (j - i) // 699 for i, j < 699, as in the
// relative positions of attention, which are rows cut one shorter.
Split nearest(Split split, int64_t d) {
  const auto fits = [&](const Range& range) { return range.lo >= -d && range.hi < d; };
  if (fits(split.rest.range())) return split;
  const std::vector<Term> terms = split.rest.terms();
  IndexSum quotient(terms.size(), 0), rest(terms.size(), 0);
  for (const Term& term : terms) {
    const int64_t more = term.coefficient > d / 2 ? 1 : term.coefficient < -(d / 2) ? -1 : 0;
    quotient.add(from_term(more, term.atoms));
    rest.add(from_term(-more * d, term.atoms));
  }
  Split out{split.quotient + quotient.take(), split.rest + rest.take()};
  return fits(out.rest.range()) ? out : split;
}

// a = b*quotient + rest, taking out of `a` whatever is visibly divisible by b.
Split divide(const Index& a, const Index& b) {
  const std::vector<Term> divisor = b.terms();
  if (divisor.empty()) {  // a constant
    const int64_t d = b.constant();
    const std::vector<Term> terms = a.terms();
    IndexSum quotient(terms.size(), floor_divide(a.constant_term(), d));
    IndexSum rest(terms.size(), floor_modulo(a.constant_term(), d));
    for (const Term& term : terms) {
      quotient.add(from_term(term.coefficient / d, term.atoms));
      rest.add(from_term(term.coefficient % d, term.atoms));
    }
    Split split{quotient.take(), rest.take()};
    return d > 0 ? nearest(std::move(split), d) : split;
  }
  // Polynomial division by the leading term: the one with most atoms.
  const Term lead = *std::max_element(
      divisor.begin(), divisor.end(),
      [](const Term& x, const Term& y) { return x.atoms.size() < y.atoms.size(); });
  Split split{0, a};
  for (bool again = true; again && !Effort::spent();) {
    again = false;
    const size_t before = split.rest.terms().size() + (split.rest.constant_term() != 0 ? 1 : 0);
    for (const Term& term : split.rest.terms()) {
      if (term.coefficient % lead.coefficient != 0) continue;
      const auto atoms = divide_atoms(term.atoms, lead.atoms);
      if (!atoms) continue;
      const Index part = from_term(term.coefficient / lead.coefficient, *atoms);
      const Index rest = split.rest - part * b;
      if (rest.terms().size() + (rest.constant_term() != 0 ? 1 : 0) >= before) continue;
      split = {split.quotient + part, rest};
      again = true;
      break;
    }
  }
  return split;
}

struct Factored {
  Index factor;   // g
  Index part;     // X
  Index rest;     // r, 0 <= r < g
  Index modulus;  // m, divisor = g*m
};

// What terms have in common with a number: the greatest common divisor of it and their
// coefficients.
int64_t common_coefficient(const std::vector<Term>& terms, int64_t number) {
  for (const Term& term : terms) number = std::gcd(number, term.coefficient);
  return number;
}

// value = g*X + r by a number g, which divides the divisor: r is what no multiple of g is left in.
std::optional<Factored> factor_by(int64_t g, const Index& value, const Index& divisor) {
  const std::vector<Term> terms = value.terms();
  IndexSum part(terms.size(), floor_divide(value.constant_term(), g));
  IndexSum rest(terms.size(), floor_modulo(value.constant_term(), g));
  for (const Term& term : terms) {
    const bool whole = term.coefficient % g == 0;
    (whole ? part : rest)
        .add(from_term(whole ? term.coefficient / g : term.coefficient, term.atoms));
  }
  Factored out{g, part.take(), rest.take(), divide(divisor, g).quotient};
  if (quickly_proven_le(0, out.rest) && quickly_proven_lt(out.rest, g)) return out;
  return std::nullopt;
}

// rest = g*X + r with 0 <= r < g and divisor = g*m, m != 1, for the largest such g that is found.
std::optional<Factored> factor(const Index& value, const Index& divisor) {
  const std::vector<Term> divisor_terms = divisor.terms();
  if (divisor_terms.size() > 1 || (divisor_terms.size() == 1 && divisor.constant_term() != 0)) {
    // A sum: only a number divides it.
    const int64_t g = common_coefficient(divisor_terms, divisor.constant_term());
    return g > 1 ? factor_by(g, value, divisor) : std::nullopt;
  }
  const int64_t divisor_coefficient =
      divisor_terms.empty() ? divisor.constant() : divisor_terms[0].coefficient;
  const std::vector<Index> divisor_atoms =
      divisor_terms.empty() ? std::vector<Index>{} : divisor_terms[0].atoms;

  const std::vector<Term> terms = value.terms();
  for (const Term& candidate : terms) {
    if (Effort::spent()) return std::nullopt;
    // g: what this term has in common with the divisor.
    const int64_t g_coefficient = std::gcd(candidate.coefficient, divisor_coefficient);
    std::vector<Index> g_atoms;
    std::set_intersection(candidate.atoms.begin(), candidate.atoms.end(), divisor_atoms.begin(),
                          divisor_atoms.end(), std::back_inserter(g_atoms));
    if (g_coefficient == 1 && g_atoms.empty()) continue;
    const Index g = from_term(g_coefficient, g_atoms);
    const Index m =
        from_term(divisor_coefficient / g_coefficient, *divide_atoms(divisor_atoms, g_atoms));
    if (m.is_constant(1)) continue;
    const bool number = g_atoms.empty();
    const int64_t constant = value.constant_term();
    IndexSum part(terms.size(), number ? floor_divide(constant, g_coefficient) : 0);
    IndexSum rest(terms.size(), number ? floor_modulo(constant, g_coefficient) : constant);
    for (const Term& term : terms) {
      const auto atoms = divide_atoms(term.atoms, g_atoms);
      if (atoms && term.coefficient % g_coefficient == 0) {
        part.add(from_term(term.coefficient / g_coefficient, *atoms));
      } else {
        rest.add(from_term(term.coefficient, term.atoms));
      }
    }
    Factored out{g, part.take(), rest.take(), m};
    if (quickly_proven_le(0, out.rest) && quickly_proven_lt(out.rest, g)) return out;
  }
  return std::nullopt;
}

// R*mod(x, q) - R*x as -R*q*floordiv(x, q), where `value` has such terms; a constant in x needs no
// partner. Only for what is divided next: as a rule for sums it would not agree with the others.
std::optional<Index> multiples_of(const Index& value) {
  for (const Term& term : value.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::mod) continue;
    const Index &x = term.atoms[0].operands()[0], &q = term.atoms[0].operands()[1];
    const Index others = value - from_term(term.coefficient, term.atoms);
    const Index left = others + x * term.coefficient;
    if (x.terms().empty() || left.terms().size() + x.terms().size() > others.terms().size())
      continue;
    return left - q * floordiv(x, q) * term.coefficient;
  }
  return std::nullopt;
}

Index make(IndexKind kind, std::vector<Index> operands) {
  IndexNode node;
  node.kind = kind;
  node.operands = std::move(operands);
  return IndexBuilder::make(std::move(node));
}

}  // namespace

Index floordiv(const Index& a, const Index& b) {
  if (b.is_constant(0)) return 0;
  if (b.is_constant(1)) return a;
  if (b.is_constant() && b.constant() < 0) return floordiv(-a, -b);
  if (a == b) return 1;
  const Effort effort(kEffort);
  const auto [quotient, rest] = divide(a, b);
  if (rest.is_constant(0)) return quotient;
  if (quickly_proven_le(0, rest) && quickly_proven_lt(rest, b)) return quotient;
  if (quickly_proven_lt(rest, 0) && quickly_proven_le(0, rest + b)) return quotient - 1;
  if (const auto split = factor(rest, b)) return quotient + floordiv(split->part, split->modulus);
  if (const auto multiples = multiples_of(rest)) return quotient + floordiv(*multiples, b);
  // (x // a + k) // c = (x + k*a) // (a*c)
  const std::vector<Term> terms = rest.terms();
  if (b.is_constant() && terms.size() == 1 && terms[0].coefficient == 1 &&
      terms[0].atoms.size() == 1) {
    const Index& atom = terms[0].atoms[0];
    if (atom.kind() == IndexKind::floordiv && atom.operands()[1].is_constant()) {
      const Index& inner = atom.operands()[1];
      return quotient + floordiv(atom.operands()[0] + rest.constant_term() * inner, inner * b);
    }
  }
  return quotient + make(IndexKind::floordiv, {rest, b});
}

QuotientCache::~QuotientCache() { delete quotient_.load(); }

Index QuotientCache::of(const IndexNode& remainder) const {
  if (const Index* known = quotient_.load()) return *known;
  Index found = floordiv(remainder.operands[0], remainder.operands[1]);
  if (Effort::spent()) return found;
  auto own = std::make_unique<const Index>(found);
  const Index* first = nullptr;
  // Another thread may have been faster; what it found is the same.
  if (quotient_.compare_exchange_strong(first, own.get())) own.release();
  return found;
}

Index ceildiv(const Index& a, const Index& b) { return floordiv(a + b - 1, b); }

Index mod(const Index& a, const Index& b) {
  if (b.is_constant(0)) return 0;
  if (b.is_constant(1) || a == b) return 0;
  const Effort effort(kEffort);
  const Index rest = divide(a, b).rest;
  if (rest.is_constant(0)) return 0;
  if (quickly_proven_le(0, rest) && quickly_proven_lt(rest, b)) return rest;
  if (quickly_proven_lt(rest, 0) && quickly_proven_le(0, rest + b)) return rest + b;
  if (const Index quotient = floordiv(rest, b); quotient.is_constant()) return rest - quotient * b;
  if (const auto split = factor(rest, b)) {
    return split->factor * mod(split->part, split->modulus) + split->rest;
  }
  // (x % c) % b = x % b where b divides c
  if (rest.kind() == IndexKind::mod) {
    const Index& inner = rest.operands()[1];
    if (divide(inner, b).rest.is_constant(0)) return mod(rest.operands()[0], b);
  }
  return make(IndexKind::mod, {rest, b});
}

namespace {

// Operands of one extremum have been compared with each other when it was made; only those of `a`
// with those of `b` have not.
struct Candidate {
  Index index;
  bool in_a, in_b;
};

std::vector<Candidate> candidates_of(IndexKind kind, const Index& a, const Index& b) {
  const auto parts = [&](const Index& side) {
    return side.kind() == kind ? side.operands() : std::vector<Index>{side};
  };
  std::vector<Candidate> all;
  for (const Index& index : parts(a)) all.push_back({index, true, false});
  for (const Index& index : parts(b)) all.push_back({index, false, true});
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& x, const Candidate& y) { return x.index < y.index; });
  std::vector<Candidate> distinct;
  for (Candidate& one : all) {
    if (!distinct.empty() && distinct.back().index == one.index) {
      distinct.back().in_a = distinct.back().in_b = true;
    } else {
      distinct.push_back(std::move(one));
    }
  }
  return distinct;
}

Index extremum(IndexKind kind, const Index& a, const Index& b) {
  const Effort effort(kEffort);
  const bool smallest = kind == IndexKind::min;
  std::vector<Candidate> all = candidates_of(kind, a, b);
  // Drop every operand that another one is proven to beat.
  for (size_t i = 0; i < all.size();) {
    const Candidate& one = all[i];
    const bool beaten = std::any_of(all.begin(), all.end(), [&](const Candidate& other) {
      if ((one.in_a && other.in_a) || (one.in_b && other.in_b)) return false;
      return smallest ? quickly_proven_le(other.index, one.index)
                      : quickly_proven_le(one.index, other.index);
    });
    if (beaten) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (all.size() == 1) return all[0].index;
  std::vector<Index> operands;
  for (Candidate& one : all) operands.push_back(std::move(one.index));
  return make(kind, std::move(operands));
}

}  // namespace

Index min(const Index& a, const Index& b) { return extremum(IndexKind::min, a, b); }
Index max(const Index& a, const Index& b) { return extremum(IndexKind::max, a, b); }

}  // namespace burin

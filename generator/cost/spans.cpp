#include "cost/spans.h"

#include <algorithm>

namespace burin::cost {
namespace {

int64_t floor_divided(int64_t a, int64_t b) {
  if (b == 0) return 0;
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Span times(const Span& a, const Span& b) {
  const int64_t all[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return {*std::min_element(std::begin(all), std::end(all)),
          *std::max_element(std::begin(all), std::end(all))};
}

Span divided(const Span& a, const Span& b) {
  const int64_t all[] = {floor_divided(a.lo, b.lo), floor_divided(a.lo, b.hi),
                         floor_divided(a.hi, b.lo), floor_divided(a.hi, b.hi)};
  return {*std::min_element(std::begin(all), std::end(all)),
          *std::max_element(std::begin(all), std::end(all))};
}

// Of a divisor that is positive; remainders of what stays inside of one round are moved only.
Span remainder(const Span& a, const Span& b) {
  if (b.hi <= 0) return {0, 0};
  if (b.lo == b.hi && floor_divided(a.lo, b.hi) == floor_divided(a.hi, b.hi)) {
    const int64_t round = floor_divided(a.lo, b.hi) * b.hi;
    return {a.lo - round, a.hi - round};
  }
  return {0, b.hi - 1};
}

}  // namespace

Span span_of(const Index& index, const std::function<Span(const Index& leaf)>& leaf) {
  const auto atom_span = [&](const Index& atom) -> Span {
    const auto operand = [&](size_t k) { return span_of(atom.operands()[k], leaf); };
    switch (atom.kind()) {
      case IndexKind::floordiv:
        return divided(operand(0), operand(1));
      case IndexKind::mod:
        return remainder(operand(0), operand(1));
      case IndexKind::min:
      case IndexKind::max: {
        Span out = operand(0);
        for (size_t k = 1; k < atom.operands().size(); ++k) {
          const Span one = operand(k);
          if (atom.kind() == IndexKind::min)
            out = {std::min(out.lo, one.lo), std::min(out.hi, one.hi)};
          else
            out = {std::max(out.lo, one.lo), std::max(out.hi, one.hi)};
        }
        return out;
      }
      default:
        return leaf(atom);
    }
  };
  Span out{index.constant_term(), index.constant_term()};
  for (const Index::Term& term : index.terms()) {
    Span product{term.coefficient, term.coefficient};
    for (const Index& atom : term.atoms) product = times(product, atom_span(atom));
    out = {out.lo + product.lo, out.hi + product.hi};
  }
  return out;
}

}  // namespace burin::cost

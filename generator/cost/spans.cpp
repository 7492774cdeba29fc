#include "cost/spans.h"

#include <algorithm>

#include "kernel/index/index_node.h"

namespace burin::cost {
namespace {

Range divided(const Range& a, const Range& b) {
  const auto corners = {floor_divide(a.lo, b.lo), floor_divide(a.lo, b.hi),
                        floor_divide(a.hi, b.lo), floor_divide(a.hi, b.hi)};
  return {std::min(corners), std::max(corners)};
}

// Of a divisor that is positive; remainders of what stays inside of one round are moved only.
Range remainder(const Range& a, const Range& b) {
  if (b.hi <= 0) return {0, 0};
  if (b.lo == b.hi && floor_divide(a.lo, b.hi) == floor_divide(a.hi, b.hi)) {
    const int64_t round = floor_divide(a.lo, b.hi) * b.hi;
    return {a.lo - round, a.hi - round};
  }
  return {0, b.hi - 1};
}

}  // namespace

int64_t points_of(const Range& range) { return range.hi < range.lo ? 0 : range.hi - range.lo + 1; }

Range span_of(const Index& index, const std::function<Range(const Index& leaf)>& leaf) {
  const auto atom_span = [&](const Index& atom) -> Range {
    const auto operand = [&](size_t k) { return span_of(atom.operands()[k], leaf); };
    switch (atom.kind()) {
      case IndexKind::floordiv:
        return divided(operand(0), operand(1));
      case IndexKind::mod:
        return remainder(operand(0), operand(1));
      case IndexKind::min:
      case IndexKind::max: {
        Range out = operand(0);
        for (size_t k = 1; k < atom.operands().size(); ++k) {
          const Range one = operand(k);
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
  Range out{index.constant_term(), index.constant_term()};
  for (const Index::Term& term : index.terms()) {
    Range product{term.coefficient, term.coefficient};
    for (const Index& atom : term.atoms) product = multiply(product, atom_span(atom));
    out = {saturating_add(out.lo, product.lo), saturating_add(out.hi, product.hi)};
  }
  return out;
}

}  // namespace burin::cost

#include "kernel/index/index_magnitude.h"

#include <algorithm>

#include "kernel/index/index_node.h"

namespace burin {
namespace {

using Most = std::function<int64_t(const Index& leaf)>;

int64_t absolute(int64_t value) { return value < 0 ? saturating_mul(value, -1) : value; }

// Of an index: the values that it has, and the magnitude of the largest part of it.
struct Extent {
  Range values{0, 0};
  int64_t part = 0;
};

Range within(Range values, Range bounds) {
  values.lo = std::max(values.lo, bounds.lo);
  return {values.lo, std::max(values.lo, std::min(values.hi, bounds.hi))};
}

Extent extent_of(const Index& index, const Most& most);

// Rounded either way; of a divisor that may be negative nothing but the magnitude counts.
Range quotient(Range dividend, Range divisor) {
  if (divisor.lo < 0) {
    const int64_t most = saturating_add(magnitude(dividend), 1);
    return {saturating_mul(most, -1), most};
  }
  const int64_t least = std::max<int64_t>(1, divisor.lo);
  return {dividend.lo < 0 ? saturating_add(dividend.lo / least, -1) : 0,
          dividend.hi < 0 ? 0 : dividend.hi / least};
}

Range values_of(const Index& atom, const std::vector<Range>& operands) {
  if (atom.kind() == IndexKind::floordiv)
    return quotient(operands[0], within(operands[1], atom.operands()[1].range()));
  if (atom.kind() == IndexKind::mod) {
    const int64_t most = magnitude(operands[1]);
    return {operands[1].lo < 0 ? saturating_mul(most, -1) : 0, most};
  }
  Range all = operands[0];
  for (const Range& one : operands) {
    all = atom.kind() == IndexKind::min ? Range{std::min(all.lo, one.lo), std::min(all.hi, one.hi)}
                                        : Range{std::max(all.lo, one.lo), std::max(all.hi, one.hi)};
  }
  return all;
}

Extent extent_of_atom(const Index& atom, const Most& most) {
  switch (atom.kind()) {
    case IndexKind::symbol:
    case IndexKind::data: {
      const int64_t value = most(atom);
      const Range values = within({saturating_mul(value, -1), value}, atom.range());
      return {values, std::max(value, magnitude(values))};
    }
    case IndexKind::axis: {
      const Extent whole = extent_of(atom.axis_extent(), most);
      return {{0, std::max<int64_t>(0, whole.values.hi)}, whole.part};
    }
    default:
      break;
  }
  std::vector<Range> operands;
  int64_t part = 0;
  for (const Index& operand : atom.operands()) {
    const Extent one = extent_of(operand, most);
    operands.push_back(one.values);
    part = std::max(part, one.part);
  }
  const Range values = within(values_of(atom, operands), atom.range());
  return {values, std::max(magnitude(values), part)};
}

Extent extent_of(const Index& index, const Most& most) {
  Extent sum;
  sum.values = {index.constant_term(), index.constant_term()};
  sum.part = magnitude(sum.values);
  int64_t inside = 0;
  for (const Index::Term& term : index.terms()) {
    Range values{term.coefficient, term.coefficient};
    int64_t part = absolute(term.coefficient);
    for (const Index& atom : term.atoms) {
      const Extent one = extent_of_atom(atom, most);
      values = multiply(values, one.values);
      // A factor of 0 hides no product of those before it.
      part = saturating_mul(part, std::max<int64_t>(1, magnitude(one.values)));
      inside = std::max(inside, one.part);
    }
    sum.values = {saturating_add(sum.values.lo, values.lo),
                  saturating_add(sum.values.hi, values.hi)};
    sum.part = saturating_add(sum.part, part);
  }
  sum.values = within(sum.values, index.range());
  sum.part = std::max(sum.part, inside);
  return sum;
}

}  // namespace

int64_t magnitude(Range range) { return std::max(absolute(range.lo), absolute(range.hi)); }

int64_t largest_part(const Index& index, const Most& most) { return extent_of(index, most).part; }

}  // namespace burin

#include "kernel/index/index_magnitude.h"

#include <algorithm>

#include "kernel/index/index_node.h"

namespace burin {
namespace {

using Most = std::function<int64_t(const Index& leaf)>;

int64_t absolute(int64_t value) { return value < 0 ? saturating_mul(value, -1) : value; }

// Of an index: of itself, and of the largest part of it.
struct Magnitude {
  int64_t value = 0, part = 0;
};

Magnitude magnitude_of(const Index& index, const Most& most);

// Of an operand that is at least 1: by how much it makes a quotient smaller.
int64_t least_divisor(const Index& divisor) { return std::max<int64_t>(1, divisor.range().lo); }

Magnitude magnitude_of_atom(const Index& atom, const Most& most) {
  switch (atom.kind()) {
    case IndexKind::symbol:
    case IndexKind::data: {
      const int64_t value = most(atom);
      return {value, value};
    }
    case IndexKind::axis:
      return magnitude_of(atom.axis_extent(), most);
    default:
      break;
  }
  std::vector<Magnitude> operands;
  int64_t part = 0;
  for (const Index& operand : atom.operands()) {
    operands.push_back(magnitude_of(operand, most));
    part = std::max(part, operands.back().part);
  }
  int64_t value = 0;
  if (atom.kind() == IndexKind::floordiv) {
    value = saturating_add(operands[0].value / least_divisor(atom.operands()[1]), 1);
  } else if (atom.kind() == IndexKind::mod) {
    value = operands[1].value;
  } else {
    for (const Magnitude& operand : operands) value = std::max(value, operand.value);
  }
  value = std::min(value, magnitude(atom.range()));
  return {value, std::max(value, part)};
}

Magnitude magnitude_of(const Index& index, const Most& most) {
  Magnitude sum;
  sum.value = sum.part = absolute(index.constant_term());
  int64_t inside = 0;
  for (const Index::Term& term : index.terms()) {
    int64_t value = absolute(term.coefficient), part = value;
    for (const Index& atom : term.atoms) {
      const Magnitude one = magnitude_of_atom(atom, most);
      value = saturating_mul(value, one.value);
      // A factor of 0 hides no product of those before it.
      part = saturating_mul(part, std::max<int64_t>(1, one.value));
      inside = std::max(inside, one.part);
    }
    sum.value = saturating_add(sum.value, value);
    sum.part = saturating_add(sum.part, part);
  }
  sum.value = std::min(sum.value, magnitude(index.range()));
  sum.part = std::max(sum.part, inside);
  return sum;
}

}  // namespace

int64_t magnitude(Range range) { return std::max(absolute(range.lo), absolute(range.hi)); }

int64_t largest_part(const Index& index, const Most& most) {
  return magnitude_of(index, most).part;
}

}  // namespace burin

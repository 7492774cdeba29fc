// Numeric ranges and symbolic bounds of indices.
#include <algorithm>

#include "kernel/index/index_node.h"

namespace burin {

int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

int64_t saturating_mul(int64_t a, int64_t b) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? std::numeric_limits<int64_t>::min()
                            : std::numeric_limits<int64_t>::max();
}

// By 0 both are 0, as in emitted code (runtime_min/integer.h): a size may be a quotient by a size
// that is 0 for some callers, who have nothing to address then.
int64_t floor_divide(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return saturating_mul(a, -1);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

int64_t floor_modulo(int64_t a, int64_t b) {
  if (b == -1 || b == 0) return 0;
  const int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

bool Range::bounded() const {
  return lo != std::numeric_limits<int64_t>::min() && hi != std::numeric_limits<int64_t>::max();
}

Range multiply(Range a, Range b) {
  const auto corners = {saturating_mul(a.lo, b.lo), saturating_mul(a.lo, b.hi),
                        saturating_mul(a.hi, b.lo), saturating_mul(a.hi, b.hi)};
  return {std::min(corners), std::max(corners)};
}

namespace {

Range divide(Range a, Range b) {
  if (b.lo <= 0) return {};
  const auto quotient = [](int64_t x, int64_t y) {
    // An end that means "unbounded" stays so.
    if (x == std::numeric_limits<int64_t>::min() || x == std::numeric_limits<int64_t>::max())
      return x;
    return floor_divide(x, y);
  };
  return {a.lo >= 0 ? quotient(a.lo, b.hi) : quotient(a.lo, b.lo),
          a.hi >= 0 ? quotient(a.hi, b.lo) : quotient(a.hi, b.hi)};
}

Range modulo(Range a, Range b) {
  if (b.lo <= 0) return {};
  const int64_t highest = b.hi == kUnbounded ? kUnbounded : b.hi - 1;
  return {0, a.lo >= 0 ? std::min(a.hi, highest) : highest};
}

}  // namespace

Range range_of(const IndexNode& node) {
  switch (node.kind) {
    case IndexKind::constant:
      return {node.value, node.value};
    case IndexKind::symbol:
      return {node.symbol->min, node.symbol->max};
    case IndexKind::axis: {
      const int64_t extent = node.operands[0].range().hi;
      return {0, extent == kUnbounded ? kUnbounded : std::max<int64_t>(0, extent - 1)};
    }
    case IndexKind::data:
      return node.range;
    case IndexKind::polynomial: {
      Range sum{node.value, node.value};
      for (const Index::Term& term : node.terms) {
        Range part{term.coefficient, term.coefficient};
        for (const Index& atom : term.atoms) part = multiply(part, atom.range());
        sum = {saturating_add(sum.lo, part.lo), saturating_add(sum.hi, part.hi)};
      }
      return sum;
    }
    case IndexKind::floordiv:
      return divide(node.operands[0].range(), node.operands[1].range());
    case IndexKind::mod:
      return modulo(node.operands[0].range(), node.operands[1].range());
    case IndexKind::min:
    case IndexKind::max: {
      Range all = node.operands[0].range();
      for (const Index& operand : node.operands) {
        const Range r = operand.range();
        if (node.kind == IndexKind::min) {
          all = {std::min(all.lo, r.lo), std::min(all.hi, r.hi)};
        } else {
          all = {std::max(all.lo, r.lo), std::max(all.hi, r.hi)};
        }
      }
      return all;
    }
  }
  return {};
}

namespace {

// The largest (or smallest) value over all axes, as an expression over symbols.
std::optional<Dim> extreme(const Index& index, bool upper);

bool divides_by_axes(const Index& atom) {
  return atom.kind() == IndexKind::floordiv &&
         (atom.operands()[1].has_axes() || atom.operands()[1].has_data());
}

bool has_division_by_axes(const Index& index) {
  for (const Index::Term& term : index.terms()) {
    for (const Index& atom : term.atoms) {
      if (divides_by_axes(atom)) return true;
      if ((atom.kind() == IndexKind::min || atom.kind() == IndexKind::max) &&
          std::any_of(atom.operands().begin(), atom.operands().end(), has_division_by_axes))
        return true;
    }
  }
  return false;
}

std::optional<Dim> extreme_atom(const Index& atom, bool upper) {
  switch (atom.kind()) {
    case IndexKind::symbol:
      return atom;
    case IndexKind::axis:
      return upper ? atom.axis_extent() - 1 : Dim(0);
    case IndexKind::data: {
      const Range range = atom.range();
      const int64_t end = upper ? range.hi : range.lo;
      if (end == (upper ? kUnbounded : std::numeric_limits<int64_t>::min())) return std::nullopt;
      return Dim(end);
    }
    case IndexKind::mod: {
      if (!atom.has_axes() && !atom.has_data()) return atom;
      if (!upper) return Dim(0);
      const Index& divisor = atom.operands()[1];
      if (divisor.has_axes() || divisor.has_data()) return std::nullopt;
      return divisor - 1;
    }
    case IndexKind::floordiv: {
      const Index& divisor = atom.operands()[1];
      if (divisor.range().lo <= 0) return std::nullopt;
      const std::optional<Dim> end = extreme(atom.operands()[0], upper);
      if (!divides_by_axes(atom)) return end ? std::optional(floordiv(*end, divisor)) : end;
      if (!end || atom.operands()[0].range().lo < 0) return std::nullopt;
      const std::optional<Dim> by = extreme(divisor, !upper);
      if (by) return floordiv(*end, *by);
      return upper ? std::optional(floordiv(*end, divisor.range().lo)) : Dim(0);
    }
    case IndexKind::min:
    case IndexKind::max: {
      std::optional<Dim> all;
      for (const Index& operand : atom.operands()) {
        const std::optional<Dim> end = extreme(operand, upper);
        if (!end) return std::nullopt;
        if (!all) {
          all = end;
        } else {
          all = atom.kind() == IndexKind::min ? min(*all, *end) : max(*all, *end);
        }
      }
      return all;
    }
    default:
      return std::nullopt;
  }
}

// P * (n // d) is at most n // k where d is never below k * P; `others` is P.
std::optional<Dim> bound_of_share(const Index& atom, const Dim& others) {
  const Index &number = atom.operands()[0], &divisor = atom.operands()[1];
  if (number.range().lo < 0 || others.is_constant()) return std::nullopt;
  const std::optional<Dim> most = extreme(number, true);
  if (!most) return std::nullopt;
  std::vector<Index> sums = {divisor};
  if (divisor.kind() == IndexKind::max) sums = divisor.operands();
  for (const Index& sum : sums) {
    const Dim times = floordiv(sum, others);
    if (times.is_constant() && times.constant() >= 1 && proven_le(others * times, sum))
      return floordiv(*most, times);
  }
  return std::nullopt;
}

// The largest value of a product of factors that are not negative, one of which divides by what the
// others have: as many rows of a width as fit, times the width.
std::optional<Dim> bound_of_product(const std::vector<Index>& atoms) {
  // Each extremum among the factors asks for its operands' products with all others.
  int64_t written = 0;
  for (const Index& atom : atoms) written += atom.node().written;
  if (!Effort::spend(written)) return std::nullopt;
  for (size_t i = 0; i < atoms.size(); ++i) {
    Dim others = 1;
    for (size_t j = 0; j < atoms.size(); ++j) {
      if (j != i) others *= atoms[j];
    }
    if (divides_by_axes(atoms[i])) {
      if (std::optional<Dim> bound = bound_of_share(atoms[i], others)) return bound;
    }
    const bool least = atoms[i].kind() == IndexKind::min;
    if (!least && atoms[i].kind() != IndexKind::max) continue;
    if (!has_division_by_axes(atoms[i])) continue;
    // P * max(a, b) = max(P * a, P * b)
    std::optional<Dim> all;
    bool every = true;
    for (const Index& operand : atoms[i].operands()) {
      const std::optional<Dim> one = extreme(others * operand, true);
      every = every && one;
      if (one) all = !all ? *one : least ? min(*all, *one) : max(*all, *one);
    }
    if (all && (least || every)) return all;
  }
  return std::nullopt;
}

std::optional<Dim> extreme(const Index& index, bool upper) {
  if (!index.has_axes() && !index.has_data()) return index;
  const std::vector<Index::Term> terms = index.terms();
  IndexSum sum(terms.size(), index.constant_term());
  for (const Index::Term& term : terms) {
    const bool up = upper == (term.coefficient > 0);
    Dim product = term.coefficient;
    // What no axis takes part in is its own extreme, whatever signs its factors have.
    if (std::none_of(term.atoms.begin(), term.atoms.end(),
                     [](const Index& atom) { return atom.has_axes() || atom.has_data(); })) {
      for (const Index& atom : term.atoms) product *= atom;
      sum.add(product);
      continue;
    }
    if (up && term.atoms.size() > 1 &&
        std::all_of(term.atoms.begin(), term.atoms.end(),
                    [](const Index& atom) { return atom.range().lo >= 0; })) {
      if (const std::optional<Dim> bound = bound_of_product(term.atoms)) {
        sum.add(*bound * term.coefficient);
        continue;
      }
    }
    for (const Index& atom : term.atoms) {
      // Products are monotone only where their factors are not negative.
      if (term.atoms.size() > 1 && atom.range().lo < 0) return std::nullopt;
      const std::optional<Dim> end = extreme_atom(atom, up);
      if (!end) return std::nullopt;
      product *= *end;
    }
    sum.add(product);
  }
  return sum.take();
}

}  // namespace

std::optional<Dim> Index::upper_bound() const {
  const Effort effort(kEffortOfBounds);
  return extreme(*this, true);
}

std::optional<Dim> Index::lower_bound() const {
  const Effort effort(kEffortOfBounds);
  return extreme(*this, false);
}

}  // namespace burin

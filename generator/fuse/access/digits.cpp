#include "fuse/access/digits.h"

#include <algorithm>

namespace burin {
namespace {

// whole / part, where `part` divides it whatever the sizes are. A part that is 0 in some run
// divides a whole that is 0 there, too: the axis has no points then.
std::optional<Dim> divided(const Dim& whole, const Dim& part) {
  if (part.has_axes() || part.has_data() || part.range().lo < 0 || part.is_constant(0))
    return std::nullopt;
  Dim quotient = floordiv(whole, part);
  if (quotient * part != whole) return std::nullopt;
  return quotient;
}

// Of an index axis + shift: the axis; the shift is a number or a size.
std::optional<Index> shifted_axis(const Index& index) {
  std::optional<Index> axis;
  for (const Index::Term& term : index.terms()) {
    if (term.coefficient != 1 || term.atoms.size() != 1) continue;
    if (term.atoms[0].kind() == IndexKind::axis && !axis) axis = term.atoms[0];
  }
  if (!axis) return std::nullopt;
  const Index shift = index - *axis;
  if (shift.has_axes() || shift.has_data()) return std::nullopt;
  return axis;
}

}  // namespace

std::optional<Digit> digit_of(const Index& index) {
  const auto whole = [](const Index& axis, const Dim& shift) -> std::optional<Digit> {
    const Dim& extent = axis.axis_extent();
    if (extent.range().hi < 1) return std::nullopt;
    return Digit{axis.axis_id(), shift, 1, extent};
  };
  switch (index.kind()) {
    case IndexKind::axis:
      return whole(index, 0);
    case IndexKind::floordiv: {
      const Dim& by = index.operands()[1];
      std::optional<Digit> digit = digit_of(index.operands()[0]);
      if (!digit) return std::nullopt;
      const std::optional<Dim> left = divided(digit->base, by);
      if (!left) return std::nullopt;
      digit->unit *= by;
      digit->base = *left;
      return digit;
    }
    case IndexKind::mod: {
      const Dim& by = index.operands()[1];
      const Index& inner = index.operands()[0];
      std::optional<Digit> digit;
      // axis + s counts up to its extent and beyond: a digit only of what is below a divisor of it.
      if (const std::optional<Index> axis = shifted_axis(inner)) {
        digit = whole(*axis, inner - *axis);
      } else {
        digit = digit_of(inner);
      }
      if (!digit || !divided(digit->base, by)) return std::nullopt;
      digit->base = by;
      return digit;
    }
    default:
      return std::nullopt;
  }
}

namespace {

struct Placed {
  Digit digit;
  Index value;
};

// A digit, and what it is multiplied by.
struct DigitPart {
  Index digit;
  Dim coefficient;
};

// A sum of digits times sizes.
std::optional<std::vector<DigitPart>> parts_of(const Index& read) {
  std::vector<DigitPart> parts;
  Index left = read;
  for (const Index::Term& term : read.terms()) {
    const auto digit = std::find_if(term.atoms.begin(), term.atoms.end(),
                                    [](const Index& atom) { return atom.has_axes(); });
    if (digit == term.atoms.end()) return std::nullopt;
    Dim coefficient = term.coefficient;
    for (auto atom = term.atoms.begin(); atom != term.atoms.end(); ++atom) {
      if (atom != digit) coefficient *= *atom;
    }
    if (coefficient.has_axes() || coefficient.has_data()) return std::nullopt;
    left -= *digit * coefficient;
    const auto known = std::find_if(parts.begin(), parts.end(),
                                    [&](const DigitPart& part) { return part.digit == *digit; });
    if (known == parts.end())
      parts.push_back({*digit, std::move(coefficient)});
    else
      known->coefficient += coefficient;
  }
  if (!left.is_constant(0)) return std::nullopt;
  return parts;
}

// Takes the one of `rest` whose unit is this.
template <class T, class UnitOf>
std::optional<T> take(std::vector<T>& rest, const Dim& unit, const UnitOf& unit_of) {
  const auto found =
      std::find_if(rest.begin(), rest.end(), [&](const T& one) { return unit_of(one) == unit; });
  if (found == rest.end()) return std::nullopt;
  T out = std::move(*found);
  rest.erase(found);
  return out;
}

// The digits of `read` along one dimension, each with its value at `at`.
bool place(const Index& read, const Dim& size, const Index& at, std::vector<Placed>& out) {
  std::optional<std::vector<DigitPart>> rest = parts_of(read);
  if (!rest) return false;
  Dim unit = 1;
  while (!rest->empty()) {
    const auto part = take(*rest, unit, [](const DigitPart& one) { return one.coefficient; });
    if (!part) return false;
    const std::optional<Digit> digit = digit_of(part->digit);
    if (!digit) return false;
    const Index above = floordiv(at, unit);
    // Nothing is above the last one.
    out.push_back({*digit, rest->empty() ? above : mod(above, digit->base)});
    unit *= digit->base;
  }
  return size == unit;
}

// An axis from all of its digits.
std::optional<Index> gathered(const Dim& extent, std::vector<Placed> rest) {
  Dim unit = 1, shift = 0;
  Index value = 0;
  std::vector<Digit> digits;
  while (!rest.empty()) {
    const auto one = take(rest, unit, [](const Placed& placed) { return placed.digit.unit; });
    if (!one) return std::nullopt;
    value += one->value * unit;
    unit *= one->digit.base;
    digits.push_back(one->digit);
  }
  if (unit != extent) return std::nullopt;
  // The highest digit knows the whole shift, the others what is left of it below them.
  if (!digits.empty()) shift = digits.back().shift;
  for (const Digit& one : digits) {
    if (one.shift != shift && !divided(shift - one.shift, one.unit * one.base)) return std::nullopt;
  }
  return shift.is_constant(0) ? value : mod(value - shift, extent);
}

}  // namespace

std::optional<std::vector<Index>> from_digits(const std::vector<Axis>& axes,
                                              const std::vector<Index>& read,
                                              const std::vector<Dim>& shape,
                                              const std::vector<Index>& point) {
  std::vector<Placed> all;
  for (size_t d = 0; d < read.size(); ++d) {
    if (!place(read[d], shape[d], point[d], all)) return std::nullopt;
  }
  std::vector<Index> out;
  for (size_t a = 0; a < axes.size(); ++a) {
    std::vector<Placed> own;
    std::copy_if(all.begin(), all.end(), std::back_inserter(own),
                 [&](const Placed& one) { return one.digit.axis == static_cast<int>(a); });
    std::optional<Index> value = gathered(axes[a].extent, std::move(own));
    if (!value) return std::nullopt;
    out.push_back(std::move(*value));
  }
  return out;
}

}  // namespace burin

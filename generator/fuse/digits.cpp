#include "fuse/digits.h"

#include <algorithm>

namespace burin {

std::optional<Digit> digit_of(const Index& index) {
  const auto whole = [](const Index& axis, int64_t shift) -> std::optional<Digit> {
    const std::optional<int64_t> extent = axis.axis_extent().as_constant();
    if (!extent || *extent < 1) return std::nullopt;
    return Digit{axis.axis_id(), shift, 1, *extent};
  };
  switch (index.kind()) {
    case IndexKind::axis:
      return whole(index, 0);
    case IndexKind::floordiv: {
      const std::optional<int64_t> by = index.operands()[1].as_constant();
      std::optional<Digit> digit = digit_of(index.operands()[0]);
      if (!by || !digit || digit->base % *by != 0) return std::nullopt;
      digit->unit *= *by;
      digit->base /= *by;
      return digit;
    }
    case IndexKind::mod: {
      const std::optional<int64_t> by = index.operands()[1].as_constant();
      const Index& inner = index.operands()[0];
      std::optional<Digit> digit;
      // axis + s counts up to its extent and beyond: a digit only of what is below a divisor of it.
      if (const std::vector<Index::Term> terms = inner.terms();
          inner.kind() == IndexKind::polynomial && terms.size() == 1 && terms[0].coefficient == 1 &&
          terms[0].atoms.size() == 1 && terms[0].atoms[0].kind() == IndexKind::axis) {
        digit = whole(terms[0].atoms[0], inner.constant_term());
      } else {
        digit = digit_of(inner);
      }
      if (!by || !digit || digit->base % *by != 0) return std::nullopt;
      digit->base = *by;
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

// The digits of `read` along one dimension, each with its value at `at`.
bool place(const Index& read, const Dim& size, const Index& at, std::vector<Placed>& out) {
  if (!size.is_constant() || read.constant_term() != 0) return false;
  std::vector<std::pair<int64_t, Digit>> parts;
  for (const Index::Term& term : read.terms()) {
    if (term.atoms.size() != 1) return false;
    const std::optional<Digit> digit = digit_of(term.atoms[0]);
    if (!digit) return false;
    parts.emplace_back(term.coefficient, *digit);
  }
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  int64_t unit = 1;
  for (const auto& [coefficient, digit] : parts) {
    if (coefficient != unit) return false;
    out.push_back({digit, mod(floordiv(at, unit), digit.base)});
    unit *= digit.base;
  }
  return size.is_constant(unit);
}

// An axis from all of its digits.
std::optional<Index> gathered(int axis, int64_t extent, std::vector<Placed> digits) {
  std::sort(digits.begin(), digits.end(),
            [](const Placed& a, const Placed& b) { return a.digit.unit < b.digit.unit; });
  int64_t unit = 1;
  Index value = 0;
  for (const Placed& one : digits) {
    if (one.digit.axis != axis || one.digit.unit != unit) return std::nullopt;
    value += one.value * unit;
    unit *= one.digit.base;
  }
  if (unit != extent) return std::nullopt;
  // The highest digit knows the whole shift, the others what is left of it below them.
  const int64_t shift = digits.empty() ? 0 : digits.back().digit.shift;
  for (const Placed& one : digits) {
    if ((shift - one.digit.shift) % (one.digit.unit * one.digit.base) != 0) return std::nullopt;
  }
  return mod(value - shift, extent);
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
    const std::optional<int64_t> extent = axes[a].extent.as_constant();
    if (!extent) return std::nullopt;
    std::vector<Placed> own;
    std::copy_if(all.begin(), all.end(), std::back_inserter(own),
                 [&](const Placed& one) { return one.digit.axis == static_cast<int>(a); });
    std::optional<Index> value = gathered(static_cast<int>(a), *extent, std::move(own));
    if (!value) return std::nullopt;
    out.push_back(std::move(*value));
  }
  return out;
}

}  // namespace burin

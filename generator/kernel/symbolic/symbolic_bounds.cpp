// What an element that is not known lies between: lo / denominator and hi / denominator, all of
// them over sizes, times 1 + e with |e| <= relative, which is what roundings of floats have added.
//
// An operation on nonnegative intervals is one on their ends. Roundings stay relative as long as
// values are multiplied and divided, so that floor(h * 1.5f) / h times h is back at what it came
// from; where a value is rounded to an integer, they are settled: of n/d an integer part takes an
// error below 1/d without getting above floor(n/d).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/index/index_magnitude.h"
#include "kernel/index/index_node.h"
#include "kernel/symbolic/symbolic_scalar.h"

namespace burin {
namespace {

using MaybeBounds = std::optional<ElementBounds>;

constexpr size_t kMostBoundTerms = 8;  // of either end

// The simplest fraction that this float is the nearest one to, or one on either side of it.
MaybeBounds of_number(double number) {
  if (number == 0) return ElementBounds{};
  const double size = std::abs(number);
  if (!(size >= std::ldexp(1.0, -20) && size <= std::ldexp(1.0, 24))) return std::nullopt;
  constexpr int64_t kMostDenominator = 1024;
  for (int64_t d = 1; d <= kMostDenominator; ++d) {
    const auto n = static_cast<int64_t>(std::round(number * static_cast<double>(d)));
    const double off = std::abs(static_cast<double>(n) / static_cast<double>(d) - number);
    if (off <= size * rounding_of(Type::f32)) return ElementBounds{n, n, d, 2 * off / size};
  }
  const int64_t d = int64_t{1} << std::clamp(10 - std::ilogb(size), 0, 30);
  const double scaled = number * static_cast<double>(d);
  return ElementBounds{static_cast<int64_t>(std::floor(scaled)),
                       static_cast<int64_t>(std::ceil(scaled)), d, 0};
}

MaybeBounds bounds_of(const SymbolicElement& a, Type type) {
  if (a.bounds) return *a.bounds;
  if (a.number) return of_number(*a.number);
  return ElementBounds{a.numerator, a.numerator, a.denominator, a.rounded ? rounding_of(type) : 0};
}

bool is_factor(const Dim& factor, const Dim& dim) { return floordiv(dim, factor) * factor == dim; }

// Without what all three have in common.
ElementBounds reduced(ElementBounds b) {
  const int64_t g = std::gcd(std::gcd(content(b.lo), content(b.hi)), content(b.denominator));
  if (g > 1) {
    b.lo = divided(b.lo, g);
    b.hi = divided(b.hi, g);
    b.denominator = divided(b.denominator, g);
  }
  if (b.denominator.is_constant()) return b;
  const std::vector<Index::Term> terms = b.denominator.terms();
  if (terms.size() != 1 || b.denominator.constant_term() != 0) return b;
  for (const Index& atom : terms[0].atoms) {
    if (!proven_lt(0, atom) || !is_factor(atom, b.lo) || !is_factor(atom, b.hi)) continue;
    b.lo = floordiv(b.lo, atom);
    b.hi = floordiv(b.hi, atom);
    b.denominator = floordiv(b.denominator, atom);
  }
  return b;
}

MaybeElement element(ElementBounds b) {
  b = reduced(std::move(b));
  if (b.lo.terms().size() > kMostBoundTerms || b.hi.terms().size() > kMostBoundTerms)
    return std::nullopt;
  SymbolicElement out;
  out.bounds = std::make_shared<const ElementBounds>(std::move(b));
  return out;
}

// How far roundings may have moved it.
double moved(const ElementBounds& b) {
  if (b.relative == 0) return 0;
  const auto least = static_cast<double>(std::max<int64_t>(assumed_range(b.denominator).lo, 1));
  const auto size_of = [](const Dim& end) {  // what is that far stands for no end
    return end.is_constant(-kFar) ? int64_t{0} : magnitude(assumed_range(end));
  };
  const auto most = static_cast<double>(std::max(size_of(b.lo), size_of(b.hi)));
  return most / least * b.relative;
}

enum class Whole : uint8_t { floor, ceil, nearest };

// An integer part of it.
MaybeBounds whole(const ElementBounds& b, Whole how) {
  constexpr double kMost = 1 << 20;
  const double error = moved(b);
  if (!(error <= kMost)) return std::nullopt;
  const auto steps = static_cast<int64_t>(std::ceil(error));
  const Dim& d = b.denominator;
  // n/d is at least 1/d away from the next integer.
  const bool absorbed = d.is_constant() && error * static_cast<double>(d.constant()) < 0.99;
  ElementBounds out;
  if (how == Whole::nearest) {
    out.lo = ceildiv(b.lo * 2 - d, d * 2) - steps;
    out.hi = floordiv(b.hi * 2 + d, d * 2) + steps;
  } else if (how == Whole::floor) {
    out.lo = floordiv(b.lo, d) - steps;
    out.hi = floordiv(b.hi, d) + (absorbed ? 0 : steps);
  } else {
    out.lo = ceildiv(b.lo, d) - (absorbed ? 0 : steps);
    out.hi = ceildiv(b.hi, d) + steps;
  }
  if (proven_nonnegative(b.lo)) out.lo = max(out.lo, 0);
  if (b.lo.is_constant(-kFar)) out.lo = b.lo;
  return out;
}

bool are_nonnegative(const ElementBounds& a, const ElementBounds& b) {
  return proven_nonnegative(a.lo) && proven_nonnegative(b.lo);
}

// Over one denominator.
struct Common {
  ElementBounds a, b;
};

Common common(const ElementBounds& a, const ElementBounds& b) {
  if (a.denominator == b.denominator) return {a, b};
  const Dim d = a.denominator * b.denominator;
  return {{a.lo * b.denominator, a.hi * b.denominator, d, a.relative},
          {b.lo * a.denominator, b.hi * a.denominator, d, b.relative}};
}

// Of one of the two.
ElementBounds either(const ElementBounds& a, const ElementBounds& b) {
  const Common c = common(a, b);
  return {min(c.a.lo, c.b.lo), max(c.a.hi, c.b.hi), c.a.denominator,
          std::max(a.relative, b.relative)};
}

MaybeBounds product(const ElementBounds& a, const ElementBounds& b) {
  if (!are_nonnegative(a, b)) return std::nullopt;
  return ElementBounds{a.lo * b.lo, a.hi * b.hi, a.denominator * b.denominator,
                       a.relative + b.relative};
}

MaybeBounds quotient(const ElementBounds& a, const ElementBounds& b) {
  if (!are_nonnegative(a, b) || !proven_lt(0, b.lo)) return std::nullopt;
  if (b.lo == b.hi) {
    return ElementBounds{a.lo * b.denominator, a.hi * b.denominator, a.denominator * b.lo,
                         a.relative + b.relative};
  }
  return ElementBounds{a.lo * b.denominator * b.lo, a.hi * b.denominator * b.hi,
                       a.denominator * b.lo * b.hi, a.relative + b.relative};
}

MaybeBounds combined(Binary op, Type type, const ElementBounds& a, const ElementBounds& b) {
  const Common c = common(a, b);
  const double relative = std::max(a.relative, b.relative);
  switch (op) {
    case Binary::add:
      if (relative != 0 && !are_nonnegative(a, b)) return std::nullopt;
      return ElementBounds{c.a.lo + c.b.lo, c.a.hi + c.b.hi, c.a.denominator, relative};
    case Binary::sub:
      // Of a difference a part of either term may be more than the whole.
      if (relative != 0 || is_float(type)) return std::nullopt;
      return ElementBounds{c.a.lo - c.b.hi, c.a.hi - c.b.lo, c.a.denominator, 0};
    case Binary::min:
      return ElementBounds{min(c.a.lo, c.b.lo), min(c.a.hi, c.b.hi), c.a.denominator, relative};
    case Binary::max:
      return ElementBounds{max(c.a.lo, c.b.lo), max(c.a.hi, c.b.hi), c.a.denominator, relative};
    case Binary::mul:
      return product(a, b);
    case Binary::div: {
      const MaybeBounds exact = quotient(a, b);
      return exact && !is_float(type) ? whole(*exact, Whole::floor) : exact;
    }
    default:
      return std::nullopt;
  }
}

// Whether floats of one type are no roundings of what another one has between these bounds.
bool holds_all(Type to, Type from, const ElementBounds& b) {
  if (is_float(from)) return precision(to) >= precision(from);
  const auto holds = [&](const Dim& end) {
    return magnitude(end.range()) <= int64_t{1} << (precision(to) - 1);
  };
  return b.denominator.is_constant(1) && holds(b.lo) && holds(b.hi);
}

// Above what the integers of this type hold, they wrap.
MaybeElement held(const MaybeBounds& bounds, Type type) {
  if (!bounds) return std::nullopt;
  if (!is_float(type) && !(fits(bounds->lo, type) && fits(bounds->hi, type))) return std::nullopt;
  return element(*bounds);
}

}  // namespace

double rounding_of(Type type) {
  if (!is_float(type)) return 0;
  return std::ldexp(1.0, -precision(type));
}

MaybeElement bound(Unary op, Type type, const SymbolicElement& a) {
  MaybeBounds b = bounds_of(a, type);
  if (!b || type == Type::boolean) return std::nullopt;
  switch (op) {
    case Unary::neg:
      return held(ElementBounds{-b->hi, -b->lo, b->denominator, b->relative}, type);
    case Unary::abs:
      if (proven_nonnegative(b->lo)) return a;
      return held(ElementBounds{0, max(b->hi, -b->lo), b->denominator, b->relative}, type);
    case Unary::trunc:
      if (!proven_nonnegative(b->lo)) return std::nullopt;
      [[fallthrough]];
    case Unary::floor:
      return held(whole(*b, Whole::floor), type);
    case Unary::ceil:
      return held(whole(*b, Whole::ceil), type);
    case Unary::round:
      return held(whole(*b, Whole::nearest), type);
    default:
      return std::nullopt;
  }
}

MaybeElement bound(Binary op, Type type, const SymbolicElement& a, const SymbolicElement& b) {
  if (type == Type::boolean || is_comparison(op)) return std::nullopt;
  const MaybeBounds x = bounds_of(a, type), y = bounds_of(b, type);
  if (!x || !y) return std::nullopt;
  MaybeBounds result = combined(op, type, *x, *y);
  if (result && op != Binary::min && op != Binary::max) {
    // Errors of errors are far below what is added for them.
    result->relative = (result->relative + rounding_of(type)) * (1 + 1e-6);
  }
  return held(result, type);
}

MaybeElement bound_of_either(const SymbolicElement& a, const SymbolicElement& b, Type type) {
  if (type == Type::boolean) return std::nullopt;
  const MaybeBounds x = bounds_of(a, type), y = bounds_of(b, type);
  return x && y ? held(either(*x, *y), type) : std::nullopt;
}

MaybeElement bound_cast(Type from, Type to, const SymbolicElement& a) {
  MaybeBounds b = bounds_of(a, from);
  if (!b || to == Type::boolean) return std::nullopt;
  if (is_float(to)) {
    if (!holds_all(to, from, *b)) b->relative = (b->relative + rounding_of(to)) * (1 + 1e-6);
    return element(*b);
  }
  if (is_float(from)) {
    // Towards zero, which is below where there is no lower end.
    if (!proven_nonnegative(b->lo) && !b->lo.is_constant(-kFar)) return std::nullopt;
    const bool below = !proven_nonnegative(b->lo);
    b = whole(*b, Whole::floor);
    if (b && below) b->hi = max(b->hi, 0);
  }
  return held(b, to);
}

bool is_small(const Dim& dim) {
  constexpr int64_t kUsual = int64_t{1} << 20, kMost = int64_t{1} << 41;
  const auto most = [](const Index& leaf) {
    const Range range = leaf.range();
    return range.hi == kUnbounded ? kUsual : magnitude(range);
  };
  return largest_part(dim, most) <= kMost;
}

std::optional<Dim> most_of(const SymbolicElement& element) {
  if (!element.bounds || !element.bounds->denominator.is_constant(1)) return std::nullopt;
  if (element.bounds->relative != 0) return std::nullopt;
  const Dim& most = element.bounds->hi;
  return is_small(most) ? std::optional(most) : std::nullopt;
}

}  // namespace burin

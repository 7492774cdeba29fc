// Floats that are a Dim divided by a number.
//
// With p bits of precision a quotient n/d is exact when d is a power of two and n, without its
// factor of two, stays within 2^p. Any other n/d is rounded once; then floor, ceil, truncation and
// rounding to an integer still see the true quotient as long as |n| < 2^(p-1): n/d is at least 1/d
// (1/(2d) for ties) away from the next place where the result changes, and the rounding moves it by
// at most |n/d| 2^-p.
#include <cmath>
#include <numeric>

#include "kernel/index/index_node.h"
#include "kernel/symbolic/symbolic_scalar.h"

namespace burin {
namespace {

constexpr int64_t kLargestDenominator = int64_t{1} << 40;

// A float constant as a fraction, when it is a short one.
MaybeElement fraction(const SymbolicElement& a) {
  if (!a.number) return a;
  if (!std::isfinite(*a.number)) return std::nullopt;
  int exponent;
  const double mantissa = std::frexp(*a.number, &exponent);
  auto integer = static_cast<int64_t>(std::ldexp(mantissa, 53));
  exponent -= 53;
  while (integer != 0 && integer % 2 == 0 && exponent < 0) {
    integer /= 2;
    ++exponent;
  }
  if (integer == 0) return SymbolicElement{0};
  if (exponent < -30 || exponent > 0 || std::abs(integer) > kLargestDenominator) {
    return std::nullopt;
  }
  return SymbolicElement{integer, int64_t{1} << -exponent};
}

bool product_of_denominators(int64_t a, int64_t b, int64_t& out) {
  return !__builtin_mul_overflow(a, b, &out) && out <= kLargestDenominator;
}

// The numerators over a common denominator.
struct DimPair {
  Dim a, b;
  int64_t denominator;
};

std::optional<DimPair> common(const SymbolicElement& a, const SymbolicElement& b) {
  const int64_t g = std::gcd(a.denominator, b.denominator);
  int64_t denominator;
  if (!product_of_denominators(a.denominator / g, b.denominator, denominator)) return std::nullopt;
  return DimPair{a.numerator * (b.denominator / g), b.numerator * (a.denominator / g), denominator};
}

MaybeElement quotient(const SymbolicElement& a, const SymbolicElement& b, Type type) {
  // a / b = (a.n * b.d) / (a.d * b.n)
  const Dim top = a.numerator * b.denominator, bottom = b.numerator * a.denominator;
  if (bottom.is_constant()) {
    const int64_t d = bottom.constant();
    if (d == 0 || std::abs(d) > kLargestDenominator) return std::nullopt;
    return make_quotient(d < 0 ? -top : top, std::abs(d), type);
  }
  if (!proven_lt(0, bottom)) return std::nullopt;
  const Dim whole = floordiv(top, bottom);
  if (!(whole * bottom == top)) return std::nullopt;
  return make_quotient(whole, 1, type);
}

std::optional<bool> less(const DimPair& pair) {
  if (proven_lt(pair.a, pair.b)) return true;
  if (proven_le(pair.b, pair.a)) return false;
  return std::nullopt;
}

std::optional<bool> equal(const DimPair& pair) {
  if (pair.a == pair.b) return true;
  if (proven_ne(pair.a, pair.b)) return false;
  return std::nullopt;
}

// A constant that is no short fraction (an infinity, the largest float) against a quotient: -1
// where a is always smaller, 1 where it is always larger.
int by_range(const SymbolicElement& a, const SymbolicElement& b) {
  if (b.number) return -by_range(b, a);
  const Range range = assumed_range(b.numerator);
  const auto d = static_cast<double>(b.denominator);
  if (*a.number < static_cast<double>(range.lo) / d - 1) return -1;
  if (*a.number > static_cast<double>(range.hi) / d + 1) return 1;
  return 0;
}

MaybeElement truth(std::optional<bool> value, bool negated = false) {
  if (!value) return std::nullopt;
  return SymbolicElement{*value != negated ? 1 : 0};
}

MaybeElement compare_by_range(Binary op, const SymbolicElement& a, const SymbolicElement& b) {
  const int order = by_range(a, b);
  if (order == 0) return std::nullopt;
  switch (op) {
    case Binary::min:
      return order < 0 ? a : b;
    case Binary::max:
      return order < 0 ? b : a;
    case Binary::lt:
    case Binary::le:
      return truth(order < 0);
    case Binary::gt:
    case Binary::ge:
      return truth(order > 0);
    case Binary::eq:
      return truth(false);
    case Binary::ne:
      return truth(true);
    default:
      return std::nullopt;
  }
}

// n/d to the nearest integer, ties to even. Halves up is floor((2n + d) / 2d); that is one too many
// where n/d is a tie above an even number, which is where n = d/2 (mod 2d).
Dim nearest_even(const Dim& n, int64_t d) {
  const Dim up = floordiv(n * 2 + d, 2 * d);
  if (d % 2 != 0) return up;
  return up - 1 + min(mod(n - d / 2, 2 * d), 1);
}

}  // namespace

int precision(Type storage) {
  switch (storage) {
    case Type::f64:
      return 53;
    case Type::f32:
      return 24;
    case Type::f16:
      return 11;
    case Type::bf16:
      return 8;
    case Type::f8e4m3fn:
    case Type::f8e4m3fnuz:
      return 4;
    default:
      return 3;
  }
}

int64_t content(const Dim& dim) {
  int64_t all = dim.constant_term();
  for (const Index::Term& term : dim.terms()) all = std::gcd(all, term.coefficient);
  return all < 0 ? -all : all;
}

Dim divided(const Dim& dim, int64_t factor) {
  Dim sum = dim.constant_term() / factor;
  for (const Index::Term& term : dim.terms()) {
    Dim product = term.coefficient / factor;
    for (const Index& atom : term.atoms) product *= atom;
    sum += product;
  }
  return sum;
}

MaybeElement make_quotient(Dim numerator, int64_t denominator, Type storage) {
  const int64_t g = std::gcd(content(numerator), denominator);
  if (g > 1) {
    numerator = divided(numerator, g);
    denominator /= g;
  }
  if (numerator.is_constant()) {
    SymbolicElement out;
    const auto n = static_cast<double>(numerator.constant());
    out.number = stored(storage, {n / static_cast<double>(denominator), 0}).number;
    if (compute_type(storage) == Type::f32) out.number = static_cast<float>(*out.number);
    return out;
  }
  int64_t odd = content(numerator);
  while (odd % 2 == 0) odd /= 2;
  const Range range = assumed_range(divided(numerator, content(numerator) / odd));
  const bool exact = (denominator & (denominator - 1)) == 0;
  const int64_t limit = int64_t{1} << (exact ? precision(storage) : precision(storage) - 1);
  if (range.lo < -limit || range.hi > limit) return std::nullopt;
  if (!exact && (storage != compute_type(storage) || assumed_range(numerator).hi > limit)) {
    return std::nullopt;
  }
  return SymbolicElement{std::move(numerator), denominator, !exact};
}

MaybeElement apply_float(Unary op, Type type, const SymbolicElement& a) {
  const auto whole = [&](const Dim& dim) { return make_quotient(dim, 1, type); };
  SymbolicElement negative = a;
  negative.numerator = -a.numerator;
  switch (op) {
    case Unary::neg:
      return negative;
    case Unary::abs:
      return SymbolicElement{max(a.numerator, negative.numerator), a.denominator, a.rounded};
    case Unary::sign:
      return whole(min(max(a.numerator, -1), 1));
    case Unary::floor:
      return whole(floordiv(a.numerator, a.denominator));
    case Unary::ceil:
      return whole(ceildiv(a.numerator, a.denominator));
    case Unary::trunc:
      return whole(truncated_quotient(a.numerator, a.denominator));
    case Unary::round:
      return whole(nearest_even(a.numerator, a.denominator));
    case Unary::is_nan:
    case Unary::is_inf:
      return SymbolicElement{0};
    default:
      return std::nullopt;
  }
}

MaybeElement apply_float(Binary op, Type type, const SymbolicElement& x, const SymbolicElement& y) {
  if (x.rounded || y.rounded) return std::nullopt;
  const MaybeElement a = fraction(x), b = fraction(y);
  if (!a || !b) return compare_by_range(op, x, y);
  if (op == Binary::div) return quotient(*a, *b, type);
  if (op == Binary::mul) {
    int64_t denominator;
    if (!product_of_denominators(a->denominator, b->denominator, denominator)) return std::nullopt;
    return make_quotient(a->numerator * b->numerator, denominator, type);
  }
  const std::optional<DimPair> pair = common(*a, *b);
  if (!pair) return std::nullopt;
  const DimPair swapped{pair->b, pair->a, pair->denominator};
  switch (op) {
    case Binary::add:
      return make_quotient(pair->a + pair->b, pair->denominator, type);
    case Binary::sub:
      return make_quotient(pair->a - pair->b, pair->denominator, type);
    case Binary::min:
      return make_quotient(min(pair->a, pair->b), pair->denominator, type);
    case Binary::max:
      return make_quotient(max(pair->a, pair->b), pair->denominator, type);
    case Binary::lt:
      return truth(less(*pair));
    case Binary::le:
      return truth(less(swapped), true);
    case Binary::gt:
      return truth(less(swapped));
    case Binary::ge:
      return truth(less(*pair), true);
    case Binary::eq:
      return truth(equal(*pair));
    case Binary::ne:
      return truth(equal(*pair), true);
    default:
      return std::nullopt;
  }
}

}  // namespace burin

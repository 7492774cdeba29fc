#include "fuse/algebra/float_intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/expr/scalar.h"

namespace burin {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

double largest(Type type) {
  switch (type) {
    case Type::f16:
      return 65504;
    case Type::bf16:
      return 0x1.FEp127;
    case Type::f8e4m3fn:
      return 448;
    case Type::f8e4m3fnuz:
      return 240;
    case Type::f8e5m2:
    case Type::f8e5m2fnuz:
      return 57344;
    case Type::f8e8m0:
      return 0x1p127;
    case Type::f4e2m1:
      return 6;
    case Type::f64:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

FloatBounds anything() { return {-kInfinity, kInfinity, 0, true, 0, kInfinity}; }

FloatBounds between(double lo, double hi) {
  FloatBounds out{lo, hi, 0, lo <= 0 && hi >= 0, 0, std::max(std::abs(lo), std::abs(hi))};
  if (lo > 0) out.least = lo;
  if (hi < 0) out.least = -hi;
  return out;
}

bool FloatBounds::is_finite() const { return std::isfinite(lo) && std::isfinite(hi); }
double FloatBounds::magnitude() const { return std::max(std::abs(lo), std::abs(hi)); }

double least_normal(Type type) {
  return type == Type::f64 ? std::numeric_limits<double>::min()
                           : static_cast<double>(std::numeric_limits<float>::min());
}

FloatBounds finite_part(FloatBounds bounds, Type type) {
  const double most = std::min(bounds.cap, largest(type));
  bounds.lo = std::clamp(bounds.lo, -most, most);
  bounds.hi = std::clamp(bounds.hi, -most, most);
  return bounds;
}

namespace {

// What an underflow takes at most: half of the least number there is, rounded up.
double least_number(Type type) {
  return type == Type::f64 ? std::numeric_limits<double>::denorm_min()
                           : static_cast<double>(std::numeric_limits<float>::denorm_min());
}

double rounded(Type type, double x) {
  return type == Type::f32 ? static_cast<double>(static_cast<float>(x)) : x;
}

double apply(Binary op, Type type, double a, double b) {
  return burin::apply(op, type, {a, 0}, {b, 0}).number;
}

// A sum, product or quotient is finite only where its operands are, or zero.
double cap_of(Binary op, Type type, const FloatBounds& a, const FloatBounds& b) {
  const double x = std::min(a.cap, largest(type)), y = std::min(b.cap, largest(type));
  switch (op) {
    case Binary::add:
    case Binary::sub:
      return rounded(type, x + y);
    case Binary::mul:
      return rounded(type, x * y);
    case Binary::div:
      return b.least > 0 ? rounded(type, x / b.least) : kInfinity;
    case Binary::min:
    case Binary::max:
      return std::max(x, y);
    default:
      return kInfinity;
  }
}

// Over the corners of both intervals.
FloatBounds corners(Binary op, Type type, const FloatBounds& a, const FloatBounds& b) {
  double lo = kInfinity, hi = -kInfinity;
  for (const double x : {a.lo, a.hi}) {
    for (const double y : {b.lo, b.hi}) {
      double z = apply(op, type, x, y);
      // 0 * infinity at a corner: beside it there are products of every size up to that of zero.
      if (std::isnan(z)) z = 0;
      lo = std::min(lo, z);
      hi = std::max(hi, z);
    }
  }
  return between(lo, hi);
}

FloatBounds product_bounds(Type type, const FloatBounds& a, const FloatBounds& b) {
  FloatBounds out = corners(Binary::mul, type, a, b);
  const double smallest = a.least * b.least;
  const bool may_underflow = rounded(type, smallest) < least_normal(type);
  out.least = std::max(out.least, may_underflow ? 0 : rounded(type, smallest));
  out.zero = a.zero || b.zero || may_underflow;
  if (out.zero) {
    out.lo = std::min(out.lo, 0.0);
    out.hi = std::max(out.hi, 0.0);
  }
  const double from_a = a.lost > 0 ? a.lost * b.magnitude() : 0;
  const double from_b = b.lost > 0 ? b.lost * a.magnitude() : 0;
  out.lost = from_a + from_b + (may_underflow ? least_number(type) : 0);
  return out;
}

FloatBounds quotient_bounds(Type type, const FloatBounds& a, const FloatBounds& b) {
  if (b.zero || b.lo * b.hi <= 0) {
    FloatBounds out = anything();
    out.lost = kInfinity;
    return out;
  }
  FloatBounds out = corners(Binary::div, type, a, b);
  const double smallest = a.least / b.magnitude();
  const bool may_underflow = rounded(type, smallest) < least_normal(type);
  out.least = std::max(out.least, may_underflow ? 0 : rounded(type, smallest));
  out.zero = a.zero || may_underflow;
  if (out.zero) {
    out.lo = std::min(out.lo, 0.0);
    out.hi = std::max(out.hi, 0.0);
  }
  out.lost = a.lost > 0 ? a.lost / b.least : 0;
  if (b.lost > 0) out.lost = kInfinity;
  if (may_underflow) out.lost += least_number(type);
  return out;
}

FloatBounds uncapped_bounds(Binary op, Type type, const FloatBounds& a, const FloatBounds& b) {
  FloatBounds out = anything();
  switch (op) {
    case Binary::add:
    case Binary::sub: {
      const bool add = op == Binary::add;
      double lo = apply(op, type, a.lo, add ? b.lo : b.hi);
      double hi = apply(op, type, a.hi, add ? b.hi : b.lo);
      out = between(std::isnan(lo) ? -kInfinity : lo, std::isnan(hi) ? kInfinity : hi);
      out.lost = a.lost + b.lost;  // sums of small numbers are exact
      return out;
    }
    case Binary::mul:
      return product_bounds(type, a, b);
    case Binary::div:
      return quotient_bounds(type, a, b);
    case Binary::min:
      out = between(std::min(a.lo, b.lo), std::min(a.hi, b.hi));
      out.lost = std::max(a.lost, b.lost);
      return out;
    case Binary::max:
      out = between(std::max(a.lo, b.lo), std::max(a.hi, b.hi));
      out.lost = std::max(a.lost, b.lost);
      return out;
    default:
      return out;
  }
}

}  // namespace

FloatBounds binary_bounds(Binary op, Type type, const FloatBounds& a, const FloatBounds& b) {
  FloatBounds out = uncapped_bounds(op, type, a, b);
  out.cap = cap_of(op, type, a, b);
  return out;
}

FloatBounds unary_bounds(Unary op, Type type, const FloatBounds& a) {
  // One more step to both sides for functions that are not rounded correctly.
  const auto around = [&](double lo, double hi) {
    const double slack = type == Type::f64 ? 1e-12 : 1e-5;
    return between(lo - slack * std::abs(lo), hi + slack * std::abs(hi));
  };
  const auto at = [&](double x) { return burin::apply(op, type, {x, 0}).number; };
  FloatBounds out = anything();
  switch (op) {
    case Unary::neg:
      out = {-a.hi, -a.lo, a.least, a.zero, a.lost, a.cap};
      return out;
    case Unary::abs:
      out = between(a.zero || a.lo * a.hi < 0 ? 0 : std::min(std::abs(a.lo), std::abs(a.hi)),
                    a.magnitude());
      out.least = std::max(out.least, a.least);
      out.zero = a.zero;
      out.lost = a.lost;
      out.cap = a.cap;
      return out;
    case Unary::sqrt:
      out = between(at(std::max(0.0, a.lo)), at(std::max(0.0, a.hi)));
      out.cap = at(std::min(a.cap, largest(type)));
      break;
    case Unary::exp:
      out = around(at(a.lo), at(a.hi));
      break;
    case Unary::log:
      if (a.lo >= 0) out = around(a.zero ? -kInfinity : at(a.lo), at(a.hi));
      break;
    case Unary::tanh:
    case Unary::erf:
    case Unary::sin:
    case Unary::cos:
      out = around(-1, 1);
      break;
    default:
      break;
  }
  if (a.lost > 0) out.lost = kInfinity;  // how much of it shows is not followed
  return out;
}
}  // namespace burin

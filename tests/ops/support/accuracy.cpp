#include "ops/support/accuracy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ops/support/node_runner.h"

namespace burin {
namespace {

using Real = long double;

struct Format {
  int digits, lowest;  // bits of mantissa; exponent of the smallest normal number, as frexp has it
  Real largest;
};

Format format_of(Type type) {
  if (type == Type::f16) return {11, -13, 65504.0L};
  if (type == Type::bf16) return {8, -125, std::ldexp(255.0L, 120)};
  return {24, -125, std::numeric_limits<float>::max()};
}

Real ulp_of(Real x, const Format& format) {
  int exponent = 0;
  std::frexp(std::fabs(x), &exponent);
  return std::ldexp(1.0L, std::max(exponent, format.lowest) - format.digits);
}

// The number with these bits.
double number_of(uint32_t bits, Type type) {
  const HostTensor tensor = [&] {
    HostTensor made = make_tensor(type, {1});
    for (size_t k = 0; k < made.bytes.size(); ++k)
      made.bytes[k] = static_cast<std::byte>(bits >> (8 * k));
    return made;
  }();
  return tensor.get(0).number;
}

std::vector<double> all_numbers(Type type) {
  std::vector<double> out;
  for (uint32_t bits = 0; bits < 0x10000U; ++bits) out.push_back(number_of(bits, type));
  return out;
}

// f32 numbers: an odd stride over all patterns, intervals where functions bend, neighbours of what
// is special.
std::vector<double> f32_numbers(int64_t patterns) {
  std::vector<double> out;
  const uint32_t stride =
      static_cast<uint32_t>((uint64_t{1} << 32) / static_cast<uint64_t>(patterns)) | 1U;
  for (int64_t k = 0; k < patterns; ++k)
    out.push_back(std::bit_cast<float>(static_cast<uint32_t>(k) * stride));
  for (const double limit : {0.01, 1.0, 4.0, 20.0, 110.0}) {
    for (int64_t k = 0; k <= patterns / 4; ++k) {
      const double step = static_cast<double>(4 * k) / static_cast<double>(patterns);
      out.push_back(static_cast<float>(limit * (2 * step - 1)));
    }
  }
  for (const float x : {0.0F, std::numeric_limits<float>::denorm_min(),
                        std::numeric_limits<float>::min(), std::numeric_limits<float>::max(),
                        std::numeric_limits<float>::infinity(), 0.5F, 1.0F, 2.0F, 3.5F}) {
    for (int step = -3; step <= 3; ++step) {
      const float near =
          std::bit_cast<float>(std::bit_cast<uint32_t>(x) + static_cast<uint32_t>(step));
      out.push_back(near);
      out.push_back(-near);
    }
  }
  return out;
}

// Numbers of both signs and all exponents, with everything special among them.
std::vector<double> grid_numbers(Type type) {
  std::vector<double> out;
  const int bits = type == Type::f32 ? 32 : 16;
  const uint64_t stride = ((uint64_t{1} << bits) / 256) | 1U;
  for (uint64_t k = 0; k < 256; ++k)
    out.push_back(number_of(static_cast<uint32_t>(k * stride), type));
  for (const double x : {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 7.0, 10.0, 100.0, 1000.0, 1e-3,
                         60000.0, std::numeric_limits<double>::infinity()}) {
    out.push_back(x);
    out.push_back(-x);
  }
  for (const uint32_t low : {1U, 2U, 3U, 0x10U}) {  // subnormal
    out.push_back(number_of(low, type));
    out.push_back(-number_of(low, type));
  }
  for (int k = -13; k <= 12; ++k) out.push_back(1.0 + k / 128.0);
  for (double& x : out) {
    const HostTensor rounded = make_tensor(type, {1}, std::vector<double>{x});
    x = rounded.get(0).number;
  }
  return out;
}

Attribute real(const char* name, float value) { return {name, value}; }
Attribute integer(const char* name, int64_t value) { return {name, value}; }

template <class Function>
AccuracyCase one(const char* op, Function function, double half, double single,
                 std::vector<Attribute> attributes = {}, Real absolute = 0) {
  return {op,
          24,
          std::move(attributes),
          [function](Real a, Real) -> Real { return function(a); },
          half,
          single,
          absolute,
          1};
}

template <class Function>
AccuracyCase two(const char* op, Function function, double half, double single,
                 std::vector<Attribute> attributes = {}) {
  return {op,
          24,
          std::move(attributes),
          [function](Real a, Real b) -> Real { return function(a, b); },
          half,
          single,
          0,
          2};
}

// e^x - 1, log(1 + x), and the like are those of the C library.
Real softplus(Real x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
Real logistic(Real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
// At infinities these are NaN, as the formulas of the specification are.
Real gelu(Real x) { return x * (std::erfc(-x / std::sqrt(2.0L)) / 2); }
Real softsign(Real x) { return x / (1 + std::fabs(x)); }
Real even(Real x) { return std::nearbyint(x); }
Real sign(Real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// What is nearer to zero than this may be zero: exp of the negated operand has overflowed.
constexpr Real kVanishing = 4e-38L;

}  // namespace

std::string AccuracyCase::name() const {
  std::string out = op;
  for (const Attribute& attribute : attributes) {
    if (const auto* text = std::get_if<std::string>(&attribute.value)) out += " " + *text;
    if (const auto* number = std::get_if<int64_t>(&attribute.value))
      out += " " + attribute.name + "=" + std::to_string(*number);
  }
  return out;
}

std::vector<AccuracyCase> unary_cases() {
  const float alpha = 0.3F, gamma = 1.7F;
  const Real a = alpha, g = gamma;
  const auto if_positive = [](Real x, Real yes, Real no) {
    return std::isnan(x) ? x : x > 0 ? yes : no;
  };
  return {
      one(
          "Abs", [](Real x) { return std::fabs(x); }, 0.5, 0.5),
      one(
          "Neg", [](Real x) { return -x; }, 0.5, 0.5),
      one(
          "Ceil", [](Real x) { return std::ceil(x); }, 0.5, 0.5),
      one(
          "Floor", [](Real x) { return std::floor(x); }, 0.5, 0.5),
      one("Round", even, 0.5, 0.5),
      one(
          "Relu", [=](Real x) { return if_positive(x, x, 0); }, 0.5, 0.5),
      one("Sign", sign, 0.5, 0.5),
      one(
          "Reciprocal", [](Real x) { return 1 / x; }, 0.501, 0.5),
      one(
          "Sqrt", [](Real x) { return std::sqrt(x); }, 0.501, 0.5),
      one(
          "Exp", [](Real x) { return std::exp(x); }, 0.501, 0.9),
      one(
          "Log", [](Real x) { return std::log(x); }, 0.501, 1.0),
      one(
          "Sin", [](Real x) { return std::sin(x); }, 0.501, 0.6),
      one(
          "Cos", [](Real x) { return std::cos(x); }, 0.501, 0.6),
      one(
          "Tan", [](Real x) { return std::tan(x); }, 0.501, 0.6),
      one(
          "Asin", [](Real x) { return std::asin(x); }, 0.501, 0.6),
      one(
          "Acos", [](Real x) { return std::acos(x); }, 0.501, 0.6),
      one(
          "Atan", [](Real x) { return std::atan(x); }, 0.501, 0.6),
      one(
          "Sinh", [](Real x) { return std::sinh(x); }, 0.501, 0.6),
      one(
          "Cosh", [](Real x) { return std::cosh(x); }, 0.501, 0.6),
      one(
          "Tanh", [](Real x) { return std::tanh(x); }, 0.501, 1.6),
      one(
          "Asinh", [](Real x) { return std::asinh(x); }, 0.501, 0.6),
      one(
          "Acosh", [](Real x) { return std::acosh(x); }, 0.501, 0.6),
      one(
          "Atanh", [](Real x) { return std::atanh(x); }, 0.501, 0.6),
      one(
          "Erf", [](Real x) { return std::erf(x); }, 0.501, 1.4),
      one("Sigmoid", logistic, 0.501, 2.5, {}, kVanishing),
      one("Softplus", softplus, 0.501, 2.5),
      one("Softsign", softsign, 0.501, 1.5),
      one("Elu", [=](Real x) { return if_positive(x, x, a * std::expm1(x)); }, 0.501, 2.5,
          {real("alpha", alpha)}),
      one("Selu", [=](Real x) { return g * if_positive(x, x, a * std::expm1(x)); }, 0.501, 3.5,
          {real("alpha", alpha), real("gamma", gamma)}),
      one("Celu", [=](Real x) { return if_positive(x, x, a * std::expm1(x / a)); }, 0.501, 4.5,
          {real("alpha", alpha)}),
      one("LeakyRelu", [=](Real x) { return std::isnan(x) ? x
                                            : x < 0       ? a * x
                                                          : x; }, 0.501, 0.5,
          {real("alpha", alpha)}),
      one("ThresholdedRelu", [=](Real x) { return x > a ? x : 0; }, 0.5, 0.5,
          {real("alpha", alpha)}),
      one(
          "HardSigmoid",
          [=](Real x) { return std::isnan(x) ? x : std::min(1.0L, std::max(0.0L, a * x + 0.25L)); },
          0.501, 1.5, {real("alpha", alpha), real("beta", 0.25F)}, 1e-7L),
      one("Gelu", gelu, 0.52, 4, {}, 3e-7L),
      one(
          "Mish", [](Real x) { return x * std::tanh(softplus(x)); }, 0.501, 6, {}, kVanishing),
      one(
          "Swish", [=](Real x) { return x * logistic(a * x); }, 0.501, 92, {real("alpha", alpha)},
          100 * kVanishing),
  };
}

std::vector<AccuracyCase> binary_cases() {
  const auto larger = [](Real x, Real y) {
    return std::isnan(x) ? x : std::isnan(y) ? y : std::max(x, y);
  };
  const auto smaller = [](Real x, Real y) {
    return std::isnan(x) ? x : std::isnan(y) ? y : std::min(x, y);
  };
  AccuracyCase most = two("Max", larger, 0.5, 0.5), least = two("Min", smaller, 0.5, 0.5);
  most.zero_signs = least.zero_signs = false;  // either zero is the larger one
  return {
      most,
      least,
      two(
          "Add", [](Real x, Real y) { return x + y; }, 0.501, 0.5),
      two(
          "Sub", [](Real x, Real y) { return x - y; }, 0.501, 0.5),
      two(
          "Mul", [](Real x, Real y) { return x * y; }, 0.501, 0.5),
      two(
          "Div", [](Real x, Real y) { return x / y; }, 0.501, 0.5),
      two("Mod", [](Real x, Real y) { return std::fmod(x, y); }, 0.5, 0.5, {integer("fmod", 1)}),
      two(
          "Pow", [](Real x, Real y) { return std::pow(x, y); }, 0.501, 0.6),
      two(
          "PRelu", [](Real x, Real y) { return std::isnan(x) ? x
                                               : x < 0       ? x * y
                                                             : x; }, 0.501,
          0.5),
  };
}

Accuracy measure(const AccuracyCase& one, Type type, int64_t patterns) {
  std::vector<double> a = one.operands == 2   ? grid_numbers(type)
                          : type == Type::f32 ? f32_numbers(patterns)
                                              : all_numbers(type);
  std::vector<double> b(a.size(), 0);
  if (one.operands == 2) {
    const std::vector<double> side = a;
    a.clear();
    b.clear();
    for (const double x : side) {
      for (const double y : side) {
        a.push_back(x);
        b.push_back(y);
      }
    }
  }
  const std::vector<int64_t> shape = {static_cast<int64_t>(a.size())};
  NodeTest test{one.op, one.version, {given(make_tensor(type, shape, a))}, one.attributes};
  if (one.operands == 2) test.inputs.push_back(given(make_tensor(type, shape, b)));
  const HostTensor results = run(test).at(0);
  const Format format = format_of(type);
  const Real beyond = format.largest + ulp_of(format.largest, format);
  const auto limited = [&](Real x) { return std::max(-beyond, std::min(beyond, x)); };
  Accuracy out;
  out.measured = results.elements();
  for (int64_t k = 0; k < results.elements(); ++k) {
    const size_t at = static_cast<size_t>(k);
    const Real got = results.get(k).number, exact = one.reference(a[at], b[at]);
    char text[160];
    std::snprintf(text, sizeof text, "(%.9g, %.9g) gives %.9Lg, not %.9Lg", a[at], b[at], got,
                  exact);
    const bool odd =
        std::isnan(got) != std::isnan(exact) ||
        (std::isinf(got) && std::fabs(exact) < format.largest) ||
        (got == 0 && exact == 0 && one.zero_signs && std::signbit(got) != std::signbit(exact));
    if (odd) {
      if (out.wrong++ == 0) out.where_wrong = text;
      continue;
    }
    if (std::isnan(exact)) continue;
    const Real target = limited(exact), distance = std::fabs(limited(got) - target);
    if (distance <= one.absolute) continue;
    const auto error = static_cast<double>(distance / ulp_of(target, format));
    if (error > out.ulp) {
      out.ulp = error;
      out.where = text;
    }
  }
  return out;
}

}  // namespace burin

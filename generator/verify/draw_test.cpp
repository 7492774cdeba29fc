#include "verify/draw_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/check.h"

namespace burin {
namespace {

// A float, an integer or a boolean.
double number_at(const HostTensor& tensor, int64_t element) {
  const ScalarValue value = tensor.get(element);
  return is_float(tensor.type) ? value.number : static_cast<double>(value.integer);
}

// The distance of two neighbours of 1 among the stored numbers.
double unit_of(Type type) {
  switch (type) {
    case Type::f64:
      return 0x1p-52;
    case Type::f32:
      return 0x1p-23;
    case Type::f16:
      return 0x1p-10;
    default:
      return 0x1p-7;
  }
}

double below(const Distribution& of, double x) {
  if (of.kind == DrawKind::normal) {
    const double deviation = std::abs(of.b);
    if (deviation == 0) return x < of.a ? 0 : 1;
    return 0.5 * std::erfc((of.a - x) / (deviation * std::sqrt(2.0)));
  }
  const double low = std::min(of.a, of.b), high = std::max(of.a, of.b);
  if (low == high) return x < low ? 0 : 1;
  return std::clamp((x - low) / (high - low), 0.0, 1.0);
}

// Kolmogorov and Smirnov's. A stored number stands for all that are rounded to it.
DrawTest test_continuous(const Distribution& of, const HostTensor& drawn) {
  DrawTest out;
  std::vector<double> numbers;
  for (int64_t i = 0; i < drawn.elements(); ++i) {
    numbers.push_back(number_at(drawn, i));
    if (std::isfinite(numbers.back())) continue;
    out.fault = "element " + std::to_string(i) + " is not finite";
    return out;
  }
  std::sort(numbers.begin(), numbers.end());
  const double unit = unit_of(drawn.type), n = static_cast<double>(numbers.size());
  const double scale = std::abs(of.a) + std::abs(of.b);
  double distance = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double slack = unit * (std::abs(numbers[i]) + scale);
    const double least = below(of, numbers[i] - slack), most = below(of, numbers[i] + slack);
    distance = std::max(distance, static_cast<double>(i + 1) / n - most);
    distance = std::max(distance, least - static_cast<double>(i) / n);
    const bool outside = of.kind == DrawKind::uniform && (most == 0 || least == 1) && of.a != of.b;
    if (outside && out.fault.empty())
      out.fault = std::to_string(numbers[i]) + " is outside of the interval";
  }
  out.distance = distance * std::sqrt(n);
  return out;
}

DrawTest test_bernoulli(const Distribution& of, const HostTensor& drawn,
                        const HostTensor* probabilities) {
  DrawTest out;
  const int64_t count = drawn.elements();
  const auto probability = [&](int64_t i) {
    const double p = probabilities ? number_at(*probabilities, i) : of.a;
    return std::isnan(p) ? 0 : std::clamp(p, 0.0, 1.0);
  };
  // By probability, so that one that is taken for another shows.
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return probability(a) < probability(b); });
  double sum = 0, most = 0;
  for (const int64_t i : order) {
    const double one = number_at(drawn, i), p = probability(i);
    const bool possible = (one == 0 && p < 1) || (one == 1 && p > 0);
    if (!possible && out.fault.empty())
      out.fault = std::to_string(one) + " at element " + std::to_string(i) +
                  ", whose probability is " + std::to_string(p);
    sum += one - p;
    most = std::max(most, std::abs(sum));
  }
  out.distance = most / std::sqrt(static_cast<double>(count));
  return out;
}

// Every class is a series of draws of its own; with C classes a false alarm is C times as likely.
DrawTest test_classes(const HostTensor& drawn, const HostTensor& scores) {
  DrawTest out;
  const int64_t rows = scores.shape[0], classes = scores.shape[1];
  const int64_t draws = drawn.shape[1];
  std::vector<double> sums(static_cast<size_t>(classes)), chances(static_cast<size_t>(classes));
  double most = 0;
  for (int64_t row = 0; row < rows; ++row) {
    double largest = -INFINITY, total = 0;
    for (int64_t c = 0; c < classes; ++c)
      largest = std::max(largest, number_at(scores, row * classes + c));
    for (int64_t c = 0; c < classes; ++c) {
      double& chance = chances[static_cast<size_t>(c)];
      chance = std::exp(number_at(scores, row * classes + c) - largest);
      total += chance;
    }
    for (int64_t draw = 0; draw < draws; ++draw) {
      const double found = number_at(drawn, row * draws + draw);
      for (int64_t c = 0; c < classes; ++c) {
        double& sum = sums[static_cast<size_t>(c)];
        sum += (found == static_cast<double>(c) ? 1 : 0) - chances[static_cast<size_t>(c)] / total;
        most = std::max(most, std::abs(sum));
      }
      const bool possible = found >= 0 && found < static_cast<double>(classes) &&
                            chances[static_cast<size_t>(found)] > 0;
      if (!possible && out.fault.empty())
        out.fault = "class " + std::to_string(found) + " of row " + std::to_string(row) +
                    " cannot be drawn";
    }
  }
  out.distance = most / std::sqrt(static_cast<double>(rows * draws));
  return out;
}

}  // namespace

DrawTest test_draws(const Distribution& distribution, const HostTensor& drawn,
                    const HostTensor* parameter) {
  if (drawn.elements() == 0) return {};
  switch (distribution.kind) {
    case DrawKind::uniform:
    case DrawKind::normal:
      return test_continuous(distribution, drawn);
    case DrawKind::bernoulli:
      return test_bernoulli(distribution, drawn, parameter);
    case DrawKind::classes:
      BURIN_CHECK(parameter != nullptr);
      return test_classes(drawn, *parameter);
  }
  return {};
}

}  // namespace burin

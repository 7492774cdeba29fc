#include "report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/check.h"

namespace burin {
namespace {

std::string describe(const HostTensor& tensor) {
  std::string out = std::string(to_string(tensor.type)) + "[";
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    out += (d ? ", " : "") + std::to_string(tensor.shape[d]);
  return out + "]";
}

// The element's place among all values of its type, so that neighbours differ by one and both zeros
// are 0.
int64_t place_of(const HostTensor& tensor, int64_t element) {
  const int width = size_bits(tensor.type) / 8;
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.bytes.data() + element * width, static_cast<size_t>(width));
  const uint64_t sign = uint64_t{1} << (8 * width - 1);
  const int64_t magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

int64_t distance(int64_t a, int64_t b) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference)) return std::numeric_limits<int64_t>::max();
  return difference < 0 ? -difference : difference;
}

void compare_floats(const HostTensor& got, const HostTensor& wanted, Tolerance tolerance,
                    Difference& out) {
  double largest = 0;
  for (int64_t i = 0; i < out.elements; ++i) {
    const double value = std::abs(wanted.get(i).number);
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  const double allowed = allowed_difference(tolerance, largest);
  for (int64_t i = 0; i < out.elements; ++i) {
    const double a = got.get(i).number, b = wanted.get(i).number;
    if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
    if (!std::isfinite(a) || !std::isfinite(b)) {
      ++out.different;
      out.worst = i;
      out.absolute = std::numeric_limits<double>::infinity();
      continue;
    }
    const double difference = std::abs(a - b);
    out.ulps = std::max(out.ulps, distance(place_of(got, i), place_of(wanted, i)));
    if (difference > allowed) ++out.different;
    if (difference > out.absolute) {
      out.absolute = difference;
      out.worst = i;
    }
  }
  out.relative = largest > 0 ? out.absolute / largest : out.absolute;
}

void compare_integers(const HostTensor& got, const HostTensor& wanted, Tolerance tolerance,
                      Difference& out) {
  double largest = 0;
  int64_t off = 0;
  for (int64_t i = 0; i < out.elements; ++i) {
    const int64_t a = got.get(i).integer, b = wanted.get(i).integer;
    largest = std::max(largest, std::abs(static_cast<double>(b)));
    if (a == b) continue;
    ++off;
    const double difference = std::abs(static_cast<double>(a) - static_cast<double>(b));
    if (difference > tolerance.absolute) ++out.different;
    out.ulps = std::max(out.ulps, distance(a, b));
    if (difference >= out.absolute) {
      out.absolute = difference;
      out.worst = i;
    }
  }
  if (off > most_off(tolerance.share, out.elements)) out.different = off;
  out.relative = largest > 0 ? out.absolute / largest : out.absolute;
}

double number_at(const HostTensor& tensor, int64_t element) {
  const ScalarValue value = tensor.get(element);
  return is_float(compute_type(tensor.type)) ? value.number : static_cast<double>(value.integer);
}

void measure_likeness(const HostTensor& got, const HostTensor& wanted, Difference& out) {
  double squares = 0, product = 0, of_got = 0, of_wanted = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < out.elements; ++i) {
    const double a = number_at(got, i), b = number_at(wanted, i);
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    ++count;
    squares += (a - b) * (a - b);
    product += a * b;
    of_got += a * a;
    of_wanted += b * b;
  }
  out.root_mean_square = count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0;
  const double lengths = std::sqrt(of_got) * std::sqrt(of_wanted);
  out.cosine = lengths > 0 ? std::min(1.0, product / lengths) : of_got == of_wanted ? 1 : 0;
}

// The first of the greatest elements of a row; NaN is no element.
int64_t greatest_in(const HostTensor& tensor, int64_t first, int64_t count) {
  int64_t greatest = -1;
  for (int64_t i = first; i < first + count; ++i) {
    const double value = number_at(tensor, i);
    if (!std::isnan(value) && (greatest < 0 || value > number_at(tensor, greatest))) greatest = i;
  }
  return greatest;
}

void compare_rows(const HostTensor& got, const HostTensor& wanted, Difference& out) {
  const int64_t row = wanted.shape.empty() ? 1 : wanted.shape.back();
  if (row < 2) return;
  out.rows = out.elements / row;
  for (int64_t i = 0; i < out.rows; ++i)
    out.same_greatest += greatest_in(got, i * row, row) == greatest_in(wanted, i * row, row);
}

}  // namespace

// {absolute, relative}. A sum of n terms in any order is off by at most about n u (Higham, Accuracy
// and Stability of Numerical Algorithms, section 4.2), u = half a unit in the last place of 1.
// `absolute` decides only where a whole tensor cancels to almost nothing; narrower floats get the
// distance between their subnormals, which is all that no share of the magnitude can say.
Tolerance default_tolerance(Type type, Roundings roundings) {
  if (roundings != Roundings::many) return {};
  switch (type) {
    case Type::f64:  // n u for n = 9000, u = 2^-53; f32's 2^-24 is far outside
      return {1e-14, 1e-12};
    case Type::f32:  // n u for n = 1700, u = 2^-24; f16's 2^-11 is outside
      return {1e-6, 1e-4};
    case Type::f16:  // stored once more: two units in the last place, 2 * 2^-10
      return {0x1p-24, 2e-3};
    case Type::bf16:  // two units in the last place, 2 * 2^-7; as small as f32's
      return {1e-6, 1.6e-2};
    case Type::f8e4m3fn:  // one unit in the last place, 2^-3: the neighbour
      return {0x1p-9, 0.13};
    case Type::f8e4m3fnuz:
      return {0x1p-10, 0.13};
    case Type::f8e5m2:  // one unit in the last place, 2^-2: the neighbour
      return {0x1p-16, 0.26};
    case Type::f8e5m2fnuz:
      return {0x1p-17, 0.26};
    case Type::f4e2m1:  // the neighbour
      return {0.5, 0.34};
    default:  // integers, booleans and exponents are equal
      return {};
  }
}

// A tensor whose every number is smaller than the absolute part, such as a softmax over thousands
// of classes, still has to be told from zeros.
double allowed_difference(Tolerance tolerance, double largest) {
  const double absolute =
      largest > 0 ? std::min(tolerance.absolute, largest / 2) : tolerance.absolute;
  return absolute + tolerance.relative * largest;
}

int64_t most_off(double share, int64_t elements) {
  return std::min(elements, 1 + static_cast<int64_t>(share * static_cast<double>(elements)));
}

Difference compare(const HostTensor& got, const HostTensor& wanted, Tolerance tolerance) {
  Difference out;
  if (got.type != wanted.type || got.shape != wanted.shape) {
    out.mismatch = "is " + describe(got) + ", expected " + describe(wanted);
    return out;
  }
  out.elements = wanted.elements();
  is_float(wanted.type) ? compare_floats(got, wanted, tolerance, out)
                        : compare_integers(got, wanted, tolerance, out);
  measure_likeness(got, wanted, out);
  compare_rows(got, wanted, out);
  return out;
}

std::string to_string(const Difference& difference) {
  if (!difference.mismatch.empty()) return difference.mismatch;
  std::string out = fmt::format("max abs {:.2g}, rel {:.2g}, {} ulp", difference.absolute,
                                difference.relative, difference.ulps);
  if (difference.different == 0) return out;
  return fmt::format("{} of {} elements differ, {} at element {}", difference.different,
                     difference.elements, out, difference.worst);
}

std::string likeness_text(const Difference& difference) {
  // Digits that tell a cosine from 1.
  std::string out =
      fmt::format("rms {:.2g}, cosine {}", difference.root_mean_square,
                  difference.cosine > 1 - 1e-9 ? "1" : fmt::format("{:.9f}", difference.cosine));
  if (difference.rows > 0)
    out += fmt::format(", top-1 the same in {} of {} row{}", difference.same_greatest,
                       difference.rows, difference.rows == 1 ? "" : "s");
  return out;
}

}  // namespace burin

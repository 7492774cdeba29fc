#include "select/bytes/line_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa/requantise_rows.h"

namespace burin {
namespace {

constexpr int64_t kOneByte = int64_t{1} << isa::kLineFraction;

// Without the offset.
int64_t product_of_line(const std::vector<int32_t>& parts, int64_t sum) {
  const int64_t shifted = sum * (int64_t{1} << parts[isa::kLineShift]);
  return (shifted * parts[isa::kLineFactor]) >> 31;
}

// The least sum in (first, last] whose byte is `byte` at least, while that of `first` is less and
// that of `last` is not: steps from the guess that double, then halves.
template <class ByteOf>
int64_t first_sum_of(int32_t byte, int64_t first, int64_t last, int64_t guess, ByteOf&& byte_of) {
  int64_t below = first, at = last;
  guess = std::min(std::max(guess, first + 1), last);
  for (int64_t step = 1, place = guess; below < place && place < at; step *= 2) {
    if (byte_of(place) >= byte) {
      at = place;
      place = std::max(first, place - step);
    } else {
      below = place;
      place = std::min(last, place + step);
    }
    if (at - below <= step) break;
  }
  while (at - below > 1) {
    const int64_t middle = below + (at - below) / 2;
    (byte_of(middle) >= byte ? at : below) = middle;
  }
  return at;
}

}  // namespace

int32_t byte_by_steps(const std::vector<LineStep>& steps, size_t point, Type type, int64_t sum) {
  int64_t integer = sum;
  float x = 0;
  for (const LineStep& step : steps) {
    const double number = step.numbers.empty() ? 0 : step.numbers[point];
    const auto single = static_cast<float>(number);
    switch (step.kind) {
      case LineStep::Kind::add:
        if (step.real) {
          x = x + single;
        } else {
          integer += static_cast<int64_t>(number);
        }
        break;
      case LineStep::Kind::multiply:
        x = x * single;
        break;
      case LineStep::Kind::divide:
        x = x / single;
        break;
      case LineStep::Kind::as_float:
        x = static_cast<float>(integer);
        break;
      case LineStep::Kind::round:
        x = std::nearbyint(x);
        break;
      case LineStep::Kind::least:
        x = std::max(x, single);
        break;
      case LineStep::Kind::greatest:
        x = std::min(x, single);
        break;
    }
  }
  const auto lo = static_cast<float>(lowest(type)), hi = static_cast<float>(highest(type));
  return static_cast<int32_t>(std::min(std::max(x, lo), hi));
}

void make_doubts_few(const std::vector<LineStep>& steps, size_t point, Type type, int64_t first,
                     int64_t last, std::vector<int32_t>& parts) {
  const auto byte_of = [&](int64_t sum) { return byte_by_steps(steps, point, type, sum); };
  const auto product = [&](int64_t sum) { return product_of_line(parts, sum); };
  const double sums_of_position =
      std::ldexp(1.0, 31 - parts[isa::kLineShift]) / parts[isa::kLineFactor];
  const int32_t least = std::max(byte_of(first), parts[isa::kLineLeast]),
                greatest = std::min(byte_of(last), parts[isa::kLineGreatest]);
  // What the offset has to be at least; how far the last sum before a byte is above its beginning.
  int64_t offset = 0, above = 0;
  bool any = false;
  const auto begins = [&](int32_t byte, int64_t at) {
    const int64_t needs = byte * kOneByte - product(at);
    offset = any ? std::max(offset, needs) : needs;
    any = true;
  };
  const auto ends = [&](int32_t byte, int64_t at) {
    above = std::max(above, product(at) - byte * kOneByte + 1);
  };
  above = std::numeric_limits<int64_t>::min();
  // Limits make what is beyond them.
  if (least > parts[isa::kLineLeast]) begins(least, first);
  int64_t from = first;
  for (int32_t byte = least + 1; byte <= greatest; ++byte) {
    const double guess =
        static_cast<double>(byte * kOneByte - parts[isa::kLineOffset]) * sums_of_position;
    if (from == first && byte_of(first) >= byte) continue;
    from = first_sum_of(byte, from, last, std::llround(guess), byte_of);
    begins(byte, from);
    ends(byte, from - 1);
    --from;  // the next byte may begin there, too
  }
  if (greatest < parts[isa::kLineGreatest]) ends(greatest + 1, last);
  if (!any) return;
  const int64_t near = std::max<int64_t>(0, above + offset);
  if (near > parts[isa::kLineNear]) return;
  parts[isa::kLineOffset] = static_cast<int32_t>(offset);
  parts[isa::kLineNear] = static_cast<int32_t>(near);
}

}  // namespace burin

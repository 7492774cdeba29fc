#include "select/bytes/line_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa/requantise_rows.h"

namespace burin {
namespace {

constexpr int64_t kOneByte = int64_t{1} << isa::kLineFraction;

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

// Where bytes begin, and the sums before: what a line with a factor of 31 bits makes of them.
struct ByteEnds {
  struct Place {
    int32_t byte = 0;
    int64_t sum = 0;
  };
  ByteEnds(int shift, int64_t least, int64_t greatest)
      : shift(shift), first(least), last(greatest) {}
  // The least offset at which no byte begins too late, and how far the last sum before one is above
  // its beginning then, plus one.
  struct Fit {
    int64_t offset = 0, above = 0;
  };

  int64_t product(int64_t sum, int64_t factor) const {
    return (sum * (int64_t{1} << shift) * factor) >> 31;
  }
  Fit fit(int64_t factor) const {
    Fit out{std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::min()};
    for (const Place& one : begins)
      out.offset = std::max(out.offset, one.byte * kOneByte - product(one.sum, factor));
    for (const Place& one : before)
      out.above = std::max(out.above, product(one.sum, factor) - one.byte * kOneByte + 1);
    out.above += out.offset;
    return out;
  }
  bool holds(int64_t factor, const Fit& fit) const {
    const auto within = [&](int64_t sum) {
      return std::abs(product(sum, factor)) + std::abs(fit.offset) < (int64_t{1} << 31) - 4;
    };
    return factor > 0 && within(first) && within(last);
  }
  // What is above is the greatest of lines of the factor, plus that of others: it is convex.
  int32_t best_factor(int32_t given) const {
    const int64_t reach = given >> kFactorMoves;
    int64_t lo = given - reach,
            hi = std::min<int64_t>(given + reach, std::numeric_limits<int32_t>::max());
    while (hi - lo > 2) {
      const int64_t third = (hi - lo) / 3, a = lo + third, b = hi - third;
      if (fit(a).above <= fit(b).above) {
        hi = b;
      } else {
        lo = a;
      }
    }
    return nearest_without(lo + (hi - lo) / 2, std::max<int64_t>(1, reach >> kTrialSteps));
  }
  // Products are whole: around the best factor some are luckier than others.
  int32_t nearest_without(int64_t best, int64_t step) const {
    int64_t found = best, least = fit(best).above;
    for (int64_t k = 1; least > 0 && k <= kTrials; ++k) {
      for (const int64_t factor : {best - k * step, best + k * step}) {
        if (factor < 1 || factor > std::numeric_limits<int32_t>::max()) continue;
        const int64_t above = fit(factor).above;
        if (above >= least) continue;
        found = factor;
        least = above;
      }
    }
    return static_cast<int32_t>(found);
  }

  static constexpr int kTrials = 32, kTrialSteps = 9;
  static constexpr int kFactorMoves = 15;  // by less than 2^-15 of itself: half a sum at the ends
  int shift = 0;
  int64_t first = 0, last = 0;
  std::vector<Place> begins, before;
};

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
  const double sums_of_position =
      std::ldexp(1.0, 31 - parts[isa::kLineShift]) / parts[isa::kLineFactor];
  const int32_t least = std::max(byte_of(first), parts[isa::kLineLeast]),
                greatest = std::min(byte_of(last), parts[isa::kLineGreatest]);
  ByteEnds ends(parts[isa::kLineShift], first, last);
  // Limits make what is beyond them.
  if (least > parts[isa::kLineLeast]) ends.begins.push_back({least, first});
  int64_t from = first;
  for (int32_t byte = least + 1; byte <= greatest; ++byte) {
    const double guess =
        static_cast<double>(byte * kOneByte - parts[isa::kLineOffset]) * sums_of_position;
    if (from == first && byte_of(first) >= byte) continue;
    from = first_sum_of(byte, from, last, std::llround(guess), byte_of);
    ends.begins.push_back({byte, from});
    ends.before.push_back({byte, from - 1});
    --from;  // the next byte may begin there, too
  }
  if (greatest < parts[isa::kLineGreatest]) ends.before.push_back({greatest + 1, last});
  if (ends.begins.empty() || ends.before.empty()) return;
  const int32_t given = parts[isa::kLineFactor], other = ends.best_factor(given);
  ByteEnds::Fit best = ends.fit(given);
  int32_t factor = given;
  if (const ByteEnds::Fit fit = ends.fit(other); ends.holds(other, fit) && fit.above < best.above) {
    best = fit;
    factor = other;
  }
  // With room to spare, positions are as high as they may be: further from where others are near.
  const int64_t near = std::max<int64_t>(0, best.above);
  if (best.above < 0) best.offset -= best.above;
  if (near > parts[isa::kLineNear] || !ends.holds(factor, best)) return;
  parts[isa::kLineFactor] = factor;
  parts[isa::kLineOffset] = static_cast<int32_t>(best.offset);
  parts[isa::kLineNear] = static_cast<int32_t>(near);
}

}  // namespace burin

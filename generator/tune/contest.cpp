#include "tune/contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace burin {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Of a normal distribution, 1 of 200 is as far on one side.
constexpr double kDeviations = 2.576;

// How many times are left out at either end: one of nine.
size_t left_out(size_t count) { return count / 8; }

}  // namespace

double Times::median() const { return us.empty() ? kNever : us[us.size() / 2]; }

double Times::low() const { return us.empty() ? kNever : us[left_out(us.size())]; }

double Times::high() const { return us.empty() ? kNever : us[us.size() - 1 - left_out(us.size())]; }

bool is_faster(const Times& a, const Times& b) {
  if (a.us.empty() || b.us.empty()) return !a.us.empty();
  double not_less = 0;
  for (const double one : a.us) {
    for (const double other : b.us) not_less += one == other ? 0.5 : one > other;
  }
  const auto m = static_cast<double>(a.us.size()), n = static_cast<double>(b.us.size());
  const double by_chance = m * n / 2, deviation = std::sqrt(m * n * (m + n + 1) / 12);
  // So few times that no ranks are beyond that: one before all of the other has to do.
  return not_less == 0 || not_less <= by_chance - kDeviations * deviation;
}

std::string to_string(const Times& times) {
  if (times.us.empty()) return "no time: it failed";
  return fmt::format("{:.1f} us ({:.1f} to {:.1f})", times.median(), times.low(), times.high());
}

std::vector<Times> measure_in_turns(size_t count, int rounds,
                                    const std::function<double(size_t)>& cost) {
  std::vector<Times> out(count);
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < count; ++i) {
      // Half of them have failed, or will have.
      if (2 * (round - static_cast<int>(out[i].us.size())) > rounds) continue;
      const double us = cost(i);
      if (std::isfinite(us)) out[i].us.push_back(us);
    }
  }
  for (Times& times : out) {
    if (2 * static_cast<int>(times.us.size()) < rounds) times.us.clear();
    std::sort(times.us.begin(), times.us.end());
  }
  return out;
}

size_t winner_of(const std::vector<Times>& times, size_t holder) {
  size_t best = 0;
  for (size_t i = 1; i < times.size(); ++i) {
    if (times[i].median() < times[best].median()) best = i;
  }
  if (!is_faster(times[best], times[0])) best = 0;
  return is_faster(times[best], times[holder]) ? best : holder;
}

}  // namespace burin

#include "ops/api/loops/growth_turns.h"

#include <algorithm>

namespace burin {
namespace {

constexpr size_t kLongestTurn = 8;

using Lengths = std::vector<Dim>;  // by extent: by how much it is above the largest at first

// One iteration further. None is below the beginning's largest, which bounds it too.
Lengths step(const Lengths& now, const std::vector<RecurrenceForm>& forms) {
  Lengths next(now.size(), 0);
  for (const RecurrenceForm& one : forms) {
    Dim sum = one.total == one.form.denominator ? one.most : Dim(0);
    for (const auto& [extent, coefficient] : one.form.coefficients)
      sum += now[static_cast<size_t>(extent)] * coefficient;
    next[one.to] = max(next[one.to], floordiv(sum, one.form.denominator));
  }
  return next;
}

bool adds_the_same_always(const RecurrenceForm& one) {
  return one.total < one.form.denominator || one.form.rest == one.most || proven_le(one.most, 0);
}

}  // namespace

std::optional<std::vector<LinearForm>> bounds_in_turns(size_t extents,
                                                       const std::vector<RecurrenceForm>& forms,
                                                       const Dim& base, const Symbol& done) {
  if (!std::all_of(forms.begin(), forms.end(), adds_the_same_always)) return std::nullopt;
  // Within the turn so far, and by the turn's length: what it adds.
  std::vector<Lengths> highest = {Lengths(extents, 0)};
  std::vector<Dim> added = {0};
  Lengths now = highest[0];
  int64_t best = 1;
  for (size_t length = 1; length <= std::min(extents, kLongestTurn); ++length) {
    now = step(now, forms);
    highest.push_back(now);
    Dim most = 0;
    for (size_t i = 0; i < extents; ++i) {
      highest[length][i] = max(highest[length][i], highest[length - 1][i]);
      most = max(most, highest[length][i]);
    }
    added.push_back(most);
    const auto turn = static_cast<int64_t>(length);
    const Dim by_this = most * best, by_best = added[static_cast<size_t>(best)] * turn;
    if (by_this != by_best && proven_le(by_this, by_best)) best = turn;
  }
  if (best == 1) return std::nullopt;
  // What is added at step r of a turn has been added as often as the number is r behind a turn.
  const auto turn = static_cast<size_t>(best);
  std::vector<LinearForm> out;
  for (size_t i = 0; i < extents; ++i) {
    Dim bound = base;
    for (size_t r = 1; r <= turn; ++r) {
      const Dim until = r == turn ? added[turn] : highest[r][i];
      const Dim times = floordiv(Index::symbol(done) + (best - static_cast<int64_t>(r)), best);
      bound += (until - highest[r - 1][i]) * times;
    }
    out.push_back({.rest = bound});
  }
  return out;
}

}  // namespace burin

#include "plan/packing/stacking.h"

#include <algorithm>
#include <numeric>

#include "plan/packing/regret.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int kWalks = 3;  // from the best so many starts

// What a walk descends: no cliff, so that a step towards a better worst point counts.
int64_t slope_of(const std::vector<int64_t>& regret) {
  return 8 * regret[0] + 2 * regret[1] + 4 * regret[2] + regret[3];
}

class Walk {
 public:
  Walk(const StackProblem& problem, Stacking start) : p_(problem), now_(std::move(start)) {
    points_ = p_.sizes.size();
    for (Columns* columns : {&columns_, &next_columns_}) {
      columns->rank.resize(now_.order.size());
      columns->tops.resize(now_.order.size() * points_);
    }
    for (const std::vector<int>& conflicts : p_.conflicts)
      visits_ += static_cast<int64_t>(conflicts.size());
    visits_ = (visits_ + static_cast<int64_t>(now_.order.size())) * static_cast<int64_t>(points_);
    evaluate(now_, columns_);
    best_ = now_;
    best_regret_ = regret_of(best_.heights, p_.bounds);
  }

  // Threshold accepting: steps that lose less than a threshold are taken, and it falls to 0.
  void run(int64_t budget) {
    const int64_t steps = budget / std::max<int64_t>(1, visits_);
    int64_t slope = slope_of(best_regret_);
    const int64_t threshold = slope / 16;
    for (int64_t step = 0; step < steps && best_regret_[2] > 0; ++step) {
      const std::vector<int> column = highest_column(worst_point());
      const int buffer = column[drawn(column.size())];
      const std::vector<int>& others = p_.conflicts[at(buffer)];
      if (others.empty()) break;  // alone as high as the bound
      Stacking next = now_;
      move(next.order, buffer, others[drawn(others.size())]);
      evaluate(next, next_columns_);
      const std::vector<int64_t> regret = regret_of(next.heights, p_.bounds);
      const int64_t reached = slope_of(regret);
      if (regret < best_regret_) {
        best_ = next;
        best_regret_ = regret;
      }
      if (reached <= slope + threshold * (steps - step) / steps) {
        now_ = std::move(next);
        std::swap(columns_, next_columns_);
        slope = reached;
      }
    }
  }

  const Stacking& best() const { return best_; }
  const std::vector<int64_t>& regret() const { return best_regret_; }

 private:
  // Of an order: where everything lies.
  struct Columns {
    std::vector<int> rank;      // by buffer
    std::vector<int64_t> tops;  // by buffer, then point
  };

  void evaluate(Stacking& stacking, Columns& columns) const {
    for (size_t i = 0; i < stacking.order.size(); ++i)
      columns.rank[at(stacking.order[i])] = static_cast<int>(i);
    stacking.heights.assign(points_, 0);
    std::vector<int64_t> offset(points_);
    for (const int buffer : stacking.order) {
      std::fill(offset.begin(), offset.end(), 0);
      for (const int other : p_.conflicts[at(buffer)]) {
        if (columns.rank[at(other)] > columns.rank[at(buffer)]) continue;
        const int64_t* below = &columns.tops[at(other) * points_];
        for (size_t k = 0; k < points_; ++k) offset[k] = std::max(offset[k], below[k]);
      }
      int64_t* top = &columns.tops[at(buffer) * points_];
      for (size_t k = 0; k < points_; ++k) {
        top[k] = offset[k] + p_.sizes[k][at(buffer)];
        stacking.heights[k] = std::max(stacking.heights[k], top[k]);
      }
    }
  }

  // Mostly the one that is farthest above its bound; at times the hints or any.
  size_t worst_point() {
    const size_t kind = drawn(4);
    if (kind == 0) return drawn(points_);
    if (kind == 1 && now_.heights[0] > p_.bounds[0]) return 0;
    size_t worst = 0;
    int64_t most = -1;
    for (size_t k = 0; k < points_; ++k) {
      const int64_t above = millionths_above(now_.heights[k], p_.bounds[k]);
      if (above > most) {
        most = above;
        worst = k;
      }
    }
    return worst;
  }

  // Buffers on each other from the bottom to the height, from above.
  std::vector<int> highest_column(size_t point) const {
    const auto top = [&](int buffer) { return columns_.tops[at(buffer) * points_ + point]; };
    int buffer = *std::max_element(now_.order.begin(), now_.order.end(),
                                   [&](int a, int b) { return top(a) < top(b); });
    std::vector<int> column = {buffer};
    while (top(buffer) > p_.sizes[point][at(buffer)]) {
      const int64_t offset = top(buffer) - p_.sizes[point][at(buffer)];
      const std::vector<int>& others = p_.conflicts[at(buffer)];
      const auto below = std::find_if(others.begin(), others.end(), [&](int other) {
        return columns_.rank[at(other)] < columns_.rank[at(buffer)] && top(other) == offset;
      });
      BURIN_CHECK(below != others.end(), "a buffer that lies on nothing");
      buffer = *below;
      column.push_back(buffer);
    }
    return column;
  }

  // To the other side of `other`.
  void move(std::vector<int>& order, int buffer, int other) const {
    const auto from = order.begin() + columns_.rank[at(buffer)];
    const auto to = order.begin() + columns_.rank[at(other)];
    if (from < to) {
      std::rotate(from, from + 1, to + 1);
    } else {
      std::rotate(to, from, from + 1);
    }
  }

  // Knuth's linear congruential generator: the same everywhere.
  size_t drawn(size_t below) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<size_t>((random_ >> 33) % below);
  }

  const StackProblem& p_;
  size_t points_ = 0;
  Stacking now_, best_;
  std::vector<int64_t> best_regret_;
  Columns columns_, next_columns_;
  int64_t visits_ = 0;  // of one evaluation
  uint64_t random_ = 1;
};

}  // namespace

std::vector<int64_t> heights_of(const StackProblem& problem, const std::vector<int>& order) {
  return Walk(problem, {order, {}}).best().heights;
}

Stacking search_stacking(const StackProblem& problem, const std::vector<std::vector<int>>& starts,
                         int64_t budget) {
  BURIN_CHECK(!starts.empty() && !problem.sizes.empty());
  struct Start {
    std::vector<int64_t> regret;
    Stacking stacking;
  };
  std::vector<Start> known;
  for (const std::vector<int>& order : starts) {
    Stacking stacking = {order, heights_of(problem, order)};
    known.push_back({regret_of(stacking.heights, problem.bounds), std::move(stacking)});
  }
  std::stable_sort(known.begin(), known.end(),
                   [](const Start& a, const Start& b) { return a.regret < b.regret; });
  Start best = known.front();
  for (int w = 0; w < kWalks && at(w) < known.size() && best.regret[2] > 0; ++w) {
    Walk walk(problem, known[at(w)].stacking);
    walk.run(budget / kWalks);
    if (walk.regret() < best.regret) best = {walk.regret(), walk.best()};
  }
  return best.stacking;
}

}  // namespace burin

#include "lower/admitted_point.h"

#include <algorithm>

#include "lower/admitted_sizes.h"

namespace burin {
namespace {

constexpr int64_t kMostSteps = 4096;  // to each side
constexpr int kMostMoves = 16;        // of sizes that checks tie to each other
constexpr int64_t kMostSize = int64_t{1} << 48;

class Search {
 public:
  Search(const std::vector<Check>& checks, const std::vector<Symbol>& movable, SizePoint& point,
         int64_t& work)
      : point_(point), work_(work) {
    for (const Symbol& symbol : movable) {
      if (point.contains(symbol->name)) sizes_.push_back({symbol, {}, 1});
    }
    for (const Check& check : checks) {
      const Symbol about = only_symbol(check);
      const auto alone = std::find_if(sizes_.begin(), sizes_.end(), [&](const Size& size) {
        return about && size.symbol->name == about->name;
      });
      (alone == sizes_.end() ? tied_ : alone->alone).push_back(&check);
    }
  }

  bool run() {
    for (Size& size : sizes_) {
      if (!place(size)) return false;
    }
    for (int move = 0; move < kMostMoves && work_ > 0; ++move) {
      const int64_t left = broken();
      if (left == 0) return true;
      if (!move_one(left)) return false;
    }
    return broken() == 0;
  }

 private:
  struct Size {
    Symbol symbol;
    std::vector<const Check*> alone;
    int64_t step = 1;  // sizes so far apart are alike to those
  };

  bool admits(const Check& check, int64_t size) {
    --work_;
    return burin::admits(check, size);
  }
  bool holds(const Check& check) {
    --work_;
    return holds_at(check, point_);
  }
  int64_t broken() {
    return std::count_if(tied_.begin(), tied_.end(),
                         [&](const Check* check) { return !holds(*check); });
  }

  // The nearest of from, from - step, from + step, from - 2*step ... in range that is wanted.
  template <class Wanted>
  std::optional<int64_t> nearest(const Size& size, int64_t from, const Wanted& wanted) {
    for (int64_t k = 0; k <= kMostSteps && work_ > 0; ++k) {
      if (k > 0 && size.step > kMostSize / k) break;
      for (const int64_t at : {from - k * size.step, from + k * size.step}) {
        if (at >= size.symbol->min && at <= std::min(size.symbol->max, kMostSize) && wanted(at))
          return at;
        if (k == 0) break;
      }
    }
    return std::nullopt;
  }

  bool place(Size& size) {
    int64_t& at = point_.at(size.symbol->name);
    at = std::clamp(at, size.symbol->min, std::min(size.symbol->max, kMostSize));
    for (size_t i = 0; i < size.alone.size(); ++i) {
      const auto all_so_far = [&](int64_t value) {
        return std::all_of(size.alone.begin(),
                           size.alone.begin() + static_cast<std::ptrdiff_t>(i + 1),
                           [&](const Check* check) { return admits(*check, value); });
      };
      const std::optional<int64_t> found = nearest(size, at, all_so_far);
      if (!found) return false;
      at = *found;
      for (int64_t k = 1; k <= kMostSteps && size.step <= kMostSize / k && work_ > 0; ++k) {
        if (!admits(*size.alone[i], at + k * size.step)) continue;
        size.step *= k;
        break;
      }
    }
    return true;
  }

  // One size so that fewer than `left` checks do not hold; false: there is none.
  bool move_one(int64_t left) {
    std::optional<std::pair<std::string, int64_t>> best;
    for (const Size& size : sizes_) {
      int64_t& at = point_.at(size.symbol->name);
      const int64_t was = at;
      const auto fewer = [&](int64_t value) {
        at = value;
        if (!std::all_of(size.alone.begin(), size.alone.end(),
                         [&](const Check* check) { return admits(*check, value); }))
          return false;
        const int64_t now = broken();
        if (now >= left) return false;
        left = now;
        best = {size.symbol->name, value};
        return now == 0;
      };
      nearest(size, was, fewer);
      at = was;
      if (left == 0) break;
    }
    if (best) point_[best->first] = best->second;
    return best.has_value();
  }

  std::vector<Size> sizes_;
  std::vector<const Check*> tied_;
  SizePoint& point_;
  int64_t& work_;
};

}  // namespace

std::vector<Check> checks_of_sizes(const std::vector<Check>& checks,
                                   const std::vector<Symbol>& params) {
  const auto is_param = [&](const Symbol& one) {
    return std::any_of(params.begin(), params.end(),
                       [&](const Symbol& param) { return param->name == one->name; });
  };
  std::vector<Check> out;
  for (const Check& check : checks) {
    std::vector<Symbol> symbols;
    bool known = true;
    for (const Condition& condition : check.guard) {
      for (const Index* index : {&condition.index, &condition.lo, &condition.hi}) {
        known = known && can_be_evaluated(*index);
        index->collect_symbols(symbols);
      }
    }
    if (known && !symbols.empty() && std::all_of(symbols.begin(), symbols.end(), is_param))
      out.push_back(check);
  }
  return out;
}

std::vector<Check> checks_of_every_run(const Steps& steps, const std::vector<Symbol>& params) {
  std::vector<Check> out;
  for (const Step& step : steps) {
    if (const auto* check = std::get_if<Check>(&step)) out.push_back(*check);
  }
  return checks_of_sizes(out, params);
}

bool holds_at(const Check& check, const SizePoint& point) {
  const auto at = [&](const Index& index) {
    return index.evaluate([&](const Index& leaf) { return point.at(leaf.as_symbol()->name); });
  };
  return std::all_of(check.guard.begin(), check.guard.end(), [&](const Condition& condition) {
    const int64_t value = at(condition.index);
    return value >= at(condition.lo) && value < at(condition.hi);
  });
}

std::optional<SizePoint> admitted_point(const std::vector<Check>& checks,
                                        const std::vector<Symbol>& movable, SizePoint from,
                                        int64_t& work) {
  return Search(checks, movable, from, work).run() ? std::optional(std::move(from)) : std::nullopt;
}

}  // namespace burin

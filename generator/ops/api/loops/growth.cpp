#include "ops/api/loops/growth.h"

#include <algorithm>

#include "kernel/index/index_limit.h"
#include "kernel/index/size_bound.h"
#include "ops/api/loops/growth_recurrence.h"
#include "ops/api/loops/linear_bound.h"

namespace burin {
namespace {

// Which of several bounds is taken, where there are several.
enum class Preference { steady, additive };

// The sum of what forms multiply extents by, the largest of them: below, at or above 1.
struct Gain {
  bool none = true, above = false, one = false;
};

Gain gain_of(const LargestOf& forms) {
  Gain gain;
  for (const LinearForm& form : forms) {
    int64_t total = 0;
    for (const auto& [extent, coefficient] : form.coefficients)
      total += std::max<int64_t>(0, coefficient);
    gain.none = gain.none && total == 0;
    gain.above = gain.above || total > form.denominator;
    gain.one = gain.one || total == form.denominator;
  }
  return gain;
}

// The less, the better: the kind of growth, then what forms add at usual sizes.
std::pair<int, int64_t> rank_of(const LargestOf& forms, Preference preference) {
  const Gain gain = gain_of(forms);
  int64_t added = 0;
  for (const LinearForm& form : forms)
    added = std::max(added, at_hints(form.rest) / form.denominator);
  if (gain.above) return {3, added};
  if (preference == Preference::additive && gain.one) return {0, added};
  return {gain.none ? 1 : 2, added};
}

class System {
 public:
  System(const Growth& growth, Preference preference)
      : growth_(growth),
        iterations_(iterations_of(growth)),
        preference_(preference),
        known_(growth.extents.size()) {}

  std::vector<std::optional<Dim>> solve() {
    for (size_t i = 0; i < known_.size(); ++i) take_what_is_said(i);
    // What is known makes other forms linear.
    for (bool more = true; more;) {
      more = false;
      choose();
      for (const std::vector<int>& component : components())
        more = solve_recurrence(component) || more;
    }
    std::vector<std::optional<Dim>> out;
    for (const auto& bound : known_)
      out.push_back(bound ? at_the_end(*bound, iterations_) : std::nullopt);
    return out;
  }

  // Whether there was a choice, for the extent i.
  bool chose(size_t i) const { return several_[i]; }

 private:
  void take_what_is_said(size_t i) {
    several_.push_back(false);
    const SymbolInfo& symbol = *growth_.extents[i].symbol;
    if (symbol.most) {
      known_[i] = LinearForm{.rest = *symbol.most};
    } else if (symbol.max != kUnbounded) {
      known_[i] = LinearForm{.rest = symbol.max};
    }
  }

  // For every extent that is open, what bounds what becomes of it.
  void choose() {
    LinearScope scope;
    scope.replaced = [&](const Symbol& symbol) {
      return symbol->name != growth_.iteration->name && growth_.changes(symbol);
    };
    for (size_t i = 0; i < known_.size(); ++i) {
      const std::string& name = growth_.extents[i].symbol->name;
      if (known_[i]) {
        scope.bounds[name] = at_the_beginning(*known_[i], iterations_);
      } else {
        scope.variables[name] = static_cast<int>(i);
      }
    }
    chosen_.assign(known_.size(), {});
    for (size_t i = 0; i < known_.size(); ++i) {
      if (known_[i]) continue;
      std::vector<LargestOf> bounds = linear_bounds(growth_.extents[i].result, scope);
      const auto best = std::min_element(bounds.begin(), bounds.end(),
                                         [&](const LargestOf& a, const LargestOf& b) {
                                           return rank_of(a, preference_) < rank_of(b, preference_);
                                         });
      if (best != bounds.end()) chosen_[i] = without_negatives(*best);
      several_[i] = several_[i] || bounds.size() > 1;
    }
  }

  static LargestOf without_negatives(LargestOf forms) {
    for (LinearForm& form : forms)
      std::erase_if(form.coefficients, [](const auto& one) { return one.second < 0; });
    return forms;
  }

  // Extents that depend on each other, in an order in which nothing depends on what follows.
  std::vector<std::vector<int>> components() const {
    const size_t count = known_.size();
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
    for (size_t from = 0; from < count; ++from) {
      std::vector<int> open = {static_cast<int>(from)};
      while (!open.empty()) {
        const auto at = static_cast<size_t>(open.back());
        open.pop_back();
        for (const LinearForm& form : chosen_[at]) {
          for (const auto& [extent, coefficient] : form.coefficients) {
            if (reaches[from][static_cast<size_t>(extent)]) continue;
            reaches[from][static_cast<size_t>(extent)] = true;
            open.push_back(extent);
          }
        }
      }
    }
    std::vector<std::vector<int>> out;
    std::vector<bool> done(count, false);
    for (size_t i = 0; i < count; ++i) {
      if (done[i] || chosen_[i].empty()) continue;
      std::vector<int> component;
      for (size_t j = i; j < count; ++j) {
        if (j != i && !(reaches[i][j] && reaches[j][i])) continue;
        component.push_back(static_cast<int>(j));
        done[j] = true;
      }
      out.push_back(std::move(component));
    }
    // The fewer it reaches, the earlier.
    const auto reach = [&](const std::vector<int>& component) {
      const auto& row = reaches[static_cast<size_t>(component[0])];
      return std::count(row.begin(), row.end(), true);
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const auto& a, const auto& b) { return reach(a) < reach(b); });
    return out;
  }

  bool solve_recurrence(const std::vector<int>& extents) {
    GrowthRecurrence recurrence;
    for (const int i : extents) {
      const auto at = static_cast<size_t>(i);
      const std::optional<Dim> start = lasting_bound(growth_.extents[at].start);
      if (!start) return false;
      recurrence.starts.push_back(*start);
      LargestOf forms;
      for (const LinearForm& form : chosen_[at]) {
        const std::optional<LinearForm> inside = over_circle(form, extents);
        if (!inside) return false;
        forms.push_back(*inside);
      }
      recurrence.becomes.push_back(std::move(forms));
    }
    const std::optional<std::vector<LinearForm>> bounds =
        bounds_of_recurrence(recurrence, iterations_);
    if (!bounds) return false;
    for (size_t n = 0; n < extents.size(); ++n)
      known_[static_cast<size_t>(extents[n])] = (*bounds)[n];
    return true;
  }

  // Numbers of extents become places in the component; the bounds of others are put in.
  std::optional<LinearForm> over_circle(const LinearForm& form,
                                        const std::vector<int>& component) const {
    LinearForm out{.rest = form.rest, .denominator = form.denominator};
    for (const auto& [extent, coefficient] : form.coefficients) {
      const auto at = std::find(component.begin(), component.end(), extent);
      if (at != component.end()) {
        const LinearForm one{
            .coefficients = {{static_cast<int>(at - component.begin()), coefficient}},
            .denominator = form.denominator};
        const std::optional<LinearForm> with = sum(out, one);
        if (!with) return std::nullopt;
        out = *with;
        continue;
      }
      const std::optional<LinearForm>& known = known_[static_cast<size_t>(extent)];
      if (!known) return std::nullopt;
      const std::optional<LinearForm> part =
          scaled(at_the_beginning(*known, iterations_), coefficient, form.denominator);
      const std::optional<LinearForm> with = part ? sum(out, *part) : std::nullopt;
      if (!with) return std::nullopt;
      out = *with;
    }
    return out;
  }

  const Growth& growth_;
  const Iterations iterations_;
  const Preference preference_;
  // Over how many iterations are done; without coefficients.
  std::vector<std::optional<LinearForm>> known_;
  std::vector<LargestOf> chosen_;  // empty: nothing bounds it
  std::vector<bool> several_;
};

}  // namespace

std::vector<std::optional<Dim>> bounds_of_growth(const Growth& growth) {
  System steady(growth, Preference::steady), additive(growth, Preference::additive);
  const auto solve = [&] {
    std::vector<std::optional<Dim>> bounds = steady.solve();
    const std::vector<std::optional<Dim>> others = additive.solve();
    for (size_t i = 0; i < bounds.size(); ++i) {
      if (!steady.chose(i) || !others[i]) continue;
      // Both hold; fewer trips than a window has places are worth a minimum.
      const bool bounded = is_bounded_before_run(*others[i]);
      if (!bounds[i] || (bounded && !is_bounded_before_run(*bounds[i]))) {
        bounds[i] = others[i];
      } else if (bounded && at_hints(*others[i]) < at_hints(*bounds[i])) {
        bounds[i] = min(*bounds[i], *others[i]);
      }
    }
    return bounds;
  };
  return within_index_limits(solve).value_or(
      std::vector<std::optional<Dim>>(growth.extents.size()));
}

}  // namespace burin

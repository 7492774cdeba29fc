#include "ops/api/loops/growth_recurrence.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "kernel/index/size_bound.h"
#include "ops/api/loops/growth_turns.h"

namespace burin {
namespace {

constexpr int64_t kMostFactor = int64_t{1} << 31;  // so small that products of two fit
constexpr size_t kMostRounds = 8;                  // of candidates for a steady bound

std::optional<Dim> sound(std::optional<Dim> bound) {
  if (bound && bound->is_constant() && bound->constant() >= kMostFactor) return std::nullopt;
  return bound;
}

class RecurrenceSolver {
 public:
  RecurrenceSolver(const GrowthRecurrence& recurrence, const Iterations& iterations)
      : recurrence_(recurrence), iterations_(iterations) {}

  std::optional<std::vector<LinearForm>> solve() {
    if (!find_forms()) return std::nullopt;
    if (!multiplied_) {
      if (const auto bounds = steady()) return constants(*bounds);
      if (const auto bounds =
              bounds_in_turns(recurrence_.starts.size(), forms_, base(), iterations_.done))
        return bounds;
      if (const auto bound = added()) return std::vector(recurrence_.starts.size(), *bound);
    } else if (const auto bounds = powers()) {
      return constants(*bounds);
    }
    return std::nullopt;
  }

 private:
  bool find_forms() {
    for (size_t i = 0; i < recurrence_.becomes.size(); ++i) {
      for (const LinearForm& form : recurrence_.becomes[i]) {
        const std::optional<Dim> most = over_iterations(form.rest);
        if (!most) return false;
        int64_t total = 0;
        for (const auto& [extent, coefficient] : form.coefficients) total += coefficient;
        multiplied_ = multiplied_ || total > form.denominator;
        forms_.push_back({i, form, *most, total});
      }
    }
    return true;
  }

  std::optional<Dim> over_iterations(const Dim& dim) const {
    return bound_over(
        dim, [&](const Symbol& symbol) { return symbol->name != iterations_.number->name; });
  }

  static std::vector<LinearForm> constants(const std::vector<Dim>& bounds) {
    std::vector<LinearForm> out;
    for (const Dim& bound : bounds) out.push_back({.rest = bound});
    return out;
  }

  // What an iteration does not lead beyond.
  std::optional<std::vector<Dim>> steady() const {
    std::vector<Dim> bounds = recurrence_.starts;
    const size_t rounds = std::min(bounds.size() + 1, kMostRounds);
    for (size_t round = 0; round < rounds; ++round) {
      std::vector<Dim> next = bounds;
      for (const RecurrenceForm& one : forms_) {
        Dim sum = one.most;
        for (const auto& [extent, coefficient] : one.form.coefficients)
          sum += bounds[static_cast<size_t>(extent)] * coefficient;
        const Dim becomes = floordiv(sum, one.form.denominator);
        if (!proven_le(becomes, next[one.to])) next[one.to] = max(next[one.to], becomes);
      }
      if (next == bounds) return bounds;
      bounds = std::move(next);
    }
    // One bound for all, m: (total * m + most) / denominator <= m.
    for (const RecurrenceForm& one : forms_) {
      if (one.total == one.form.denominator && !proven_le(one.most, 0)) return std::nullopt;
    }
    return std::vector<Dim>(bounds.size(), base());
  }

  // No form that adds up to less than one extent leads beyond this.
  Dim base() const {
    Dim level = 0;
    for (const Dim& start : recurrence_.starts) level = max(level, start);
    for (const RecurrenceForm& one : forms_) {
      if (one.total < one.form.denominator)
        level = max(level, ceildiv(one.most, one.form.denominator - one.total));
    }
    return level;
  }

  // The largest gets longer by what forms add.
  std::optional<LinearForm> added() const {
    std::vector<const RecurrenceForm*> adding;
    for (const RecurrenceForm& one : forms_) {
      if (one.total == one.form.denominator && !proven_le(one.most, 0)) adding.push_back(&one);
    }
    const LinearForm from{.rest = base()};
    // One that never adds less than the others, and is a polynomial of the iteration's number.
    for (const RecurrenceForm* one : adding) {
      const bool largest =
          std::all_of(adding.begin(), adding.end(), [&](const RecurrenceForm* other) {
            return other == one || proven_le(other->form.rest * one->form.denominator,
                                             one->form.rest * other->form.denominator);
          });
      if (!largest || !proven_nonnegative(one->form.rest)) continue;
      const std::optional<LinearForm> all = sum_of_done(one->form.rest, iterations_);
      const std::optional<LinearForm> part =
          all ? scaled(*all, 1, one->form.denominator) : std::nullopt;
      if (part) return sum(from, *part);
    }
    Dim most = 0;
    for (const RecurrenceForm* one : adding)
      most = max(most, floordiv(one->most, one->form.denominator));
    return LinearForm{.rest = from.rest + most * Index::symbol(iterations_.done)};
  }

  // What the extents are after every number of iterations, over the extents at first and what
  // forms add: none of these is negative, so the largest factor of each is enough.
  std::optional<std::vector<Dim>> powers() const {
    const std::optional<Dim> trips = bound_before_run(iterations_.trips);
    const int64_t times = trips ? trips->range().hi : kUnbounded;
    const size_t count = recurrence_.starts.size();
    std::vector<Factors> now(count, Factors(count + forms_.size(), 0));
    for (size_t i = 0; i < count; ++i) now[i][i] = 1;
    std::vector<Factors> most = now;
    for (int64_t k = 0; k < times; ++k) {
      std::vector<Factors> next(count, Factors(count + forms_.size(), 0));
      for (size_t f = 0; f < forms_.size(); ++f) {
        const std::optional<Factors> made = step(now, f);
        if (!made) return std::nullopt;
        for (size_t g = 0; g < made->size(); ++g)
          next[forms_[f].to][g] = std::max(next[forms_[f].to][g], (*made)[g]);
      }
      now = std::move(next);
      for (size_t i = 0; i < count; ++i) {
        for (size_t g = 0; g < now[i].size(); ++g) most[i][g] = std::max(most[i][g], now[i][g]);
      }
    }
    std::vector<Dim> out;
    for (const Factors& factors : most) {
      Dim sum = 0;
      for (size_t g = 0; g < factors.size(); ++g) sum += generator(g) * factors[g];
      out.push_back(sum);
    }
    return out;
  }

  using Factors = std::vector<int64_t>;

  Dim generator(size_t g) const {
    if (g < recurrence_.starts.size()) return recurrence_.starts[g];
    const RecurrenceForm& one = forms_[g - recurrence_.starts.size()];
    return max(ceildiv(one.most, one.form.denominator), 0);
  }

  std::optional<Factors> step(const std::vector<Factors>& now, size_t f) const {
    Factors out(now[0].size(), 0);
    out[now.size() + f] = 1;
    for (const auto& [extent, coefficient] : forms_[f].form.coefficients) {
      const int64_t factor = (coefficient - 1) / forms_[f].form.denominator + 1;
      for (size_t g = 0; g < out.size(); ++g) {
        out[g] += factor * now[static_cast<size_t>(extent)][g];
        if (out[g] >= kMostFactor) return std::nullopt;
      }
    }
    return out;
  }

  const GrowthRecurrence& recurrence_;
  const Iterations& iterations_;
  std::vector<RecurrenceForm> forms_;
  bool multiplied_ = false;
};

bool depends_on(const Index& index, const Symbol& number) {
  std::vector<Symbol> symbols;
  index.collect_symbols(symbols);
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Symbol& symbol) { return symbol->name == number->name; });
}

// The power of `number` in a term, and what it is multiplied by; nullopt: that depends on it too.
struct Power {
  size_t power = 0;
  Dim factor = 1;
};

std::optional<Power> power_of(const Index::Term& term, const Symbol& number) {
  Power out{.factor = term.coefficient};
  for (const Index& atom : term.atoms) {
    if (atom == Index::symbol(number)) {
      ++out.power;
      continue;
    }
    if (depends_on(atom, number)) return std::nullopt;
    out.factor *= atom;
  }
  return out;
}

// No less than `dim`: quotients of what depends on `number` by numbers are not rounded down.
std::optional<LinearForm> unrounded(const Dim& dim, const Symbol& number) {
  LinearForm out{.rest = dim.constant_term()};
  for (const Index::Term& term : dim.terms()) {
    LinearForm part{.rest = term.coefficient};
    const bool positive = term.coefficient > 0 &&
                          std::all_of(term.atoms.begin(), term.atoms.end(),
                                      [](const Index& atom) { return proven_nonnegative(atom); });
    for (const Index& atom : term.atoms) {
      const bool rounded = atom.kind() == IndexKind::floordiv && depends_on(atom, number) &&
                           atom.operands()[1].is_constant() && part.denominator == 1;
      if (rounded && !positive) return std::nullopt;
      part.rest *= rounded ? atom.operands()[0] : atom;
      if (rounded) part.denominator = atom.operands()[1].constant();
    }
    const std::optional<LinearForm> with = sum(out, part);
    if (!with) return std::nullopt;
    out = *with;
  }
  return out;
}

// The sum of j^power over 0 <= j < k, twelve times.
Dim twelve_sums(size_t power, const Dim& k) {
  switch (power) {
    case 0:
      return k * 12;
    case 1:
      return (k * k - k) * 6;
    case 2:
      return (k * k * k * 2 - k * k * 3 + k) * 2;
    default:
      return (k * k * k * k - k * k * k * 2 + k * k) * 3;
  }
}

constexpr size_t kHighestPower = 3;

}  // namespace

Iterations iterations_of(const Growth& growth) {
  SymbolInfo done{growth.iteration->name + ", done", SymbolOrigin::iter};
  const int64_t most = growth.trips.range().hi;
  // One of no range is no symbol, and cannot be replaced; of no trips a bound for one holds too.
  done.max = std::max<int64_t>(most, 1);
  return {growth.iteration, std::make_shared<const SymbolInfo>(std::move(done)), growth.trips};
}

LinearForm at_the_beginning(const LinearForm& bound, const Iterations& iterations) {
  LinearForm out = bound;
  out.rest = bound.rest.substitute_symbol(iterations.done->name, Index::symbol(iterations.number));
  return out;
}

std::optional<LinearForm> sum_of_done(const Dim& given, const Iterations& iterations) {
  const Symbol& number = iterations.number;
  const std::optional<LinearForm> free = unrounded(given, number);
  if (!free) return std::nullopt;
  const Dim k = Index::symbol(iterations.done), dim = free->rest;
  Dim sum = k * dim.constant_term() * 12;
  for (const Index::Term& term : dim.terms()) {
    const std::optional<Power> power = power_of(term, number);
    if (!power || power->power > kHighestPower) return std::nullopt;
    sum += twelve_sums(power->power, k) * power->factor;
  }
  int64_t common = 12;
  for (const Index::Term& term : sum.terms()) common = std::gcd(common, term.coefficient);
  const LinearForm out{.rest = floordiv(sum, common), .denominator = 12 / common};
  return scaled(out, 1, free->denominator);
}

std::optional<std::vector<LinearForm>> bounds_of_recurrence(const GrowthRecurrence& recurrence,
                                                            const Iterations& iterations) {
  return RecurrenceSolver(recurrence, iterations).solve();
}

std::optional<Dim> at_the_end(const LinearForm& bound, const Iterations& iterations) {
  const Dim& rest = bound.rest;
  std::vector<Symbol> symbols;
  rest.collect_symbols(symbols);
  const std::string& number = iterations.done->name;
  const bool counts = std::any_of(symbols.begin(), symbols.end(),
                                  [&](const Symbol& symbol) { return symbol->name == number; });
  if (!counts) return lasting_bound(floordiv(rest, bound.denominator));
  if (iterations.trips.is_constant(kUnbounded)) return std::nullopt;
  const auto after = [&](const Dim& trips) {
    return floordiv(rest.substitute_symbol(number, max(trips, 0)), bound.denominator);
  };
  // A bound never falls with the number, so that the most trips give the most; but where the rest
  // is not known yet, how the trips depend on other sizes says more.
  const std::optional<Dim> trips = bound_before_run(iterations.trips);
  const Dim exact = after(iterations.trips);
  return lasting_bound(trips && is_bounded_before_run(exact) ? after(*trips) : exact);
}

std::optional<Dim> lasting_bound(const Dim& dim) {
  if (std::optional<Dim> bound = bound_before_run(dim)) return sound(std::move(bound));
  return dim;
}

}  // namespace burin

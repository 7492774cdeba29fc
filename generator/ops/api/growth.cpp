#include "ops/api/growth.h"

#include <algorithm>

#include "kernel/size_bound.h"

namespace burin {
namespace {

constexpr int64_t kMost = int64_t{1} << 31;  // so small that products of two fit

std::optional<Dim> sound(std::optional<Dim> bound) {
  if (bound && bound->is_constant() && bound->constant() >= kMost) return std::nullopt;
  return bound;
}

// A size that only the run knows stands for itself: whoever bounds it bounds what is made of it.
std::optional<Dim> bound_or_itself(const Dim& dim) {
  if (const std::optional<Dim> bound = bound_before_run(dim)) return sound(bound);
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  const bool lasting = std::all_of(symbols.begin(), symbols.end(), [](const Symbol& one) {
    return one->origin == SymbolOrigin::param || one->origin == SymbolOrigin::run;
  });
  return lasting ? std::optional(dim) : std::nullopt;
}

// Of which one is the largest: max(n, 1) - 1 is n - 1 or 0. One maximum is enough for what bodies
// do; a sum of many would have too many.
std::vector<Dim> alternatives(const Dim& dim) {
  for (const Index::Term& term : dim.terms()) {
    if (term.coefficient < 0 || term.atoms.size() != 1) continue;
    const Dim& atom = term.atoms[0];
    if (atom.kind() != IndexKind::max) continue;
    std::vector<Dim> all;
    for (const Dim& one : atom.operands()) all.push_back(dim + (one - atom) * term.coefficient);
    return all;
  }
  return {dim};
}

// An iteration makes an extent at most max(least, factor * itself + added).
struct Growth {
  int64_t factor = 1;
  Dim added = 0, least = 0;
};

// The coefficient of the symbol alone, at least 1.
int64_t factor_of(const Symbol& symbol, const Dim& dim) {
  int64_t factor = 1;
  for (const Index::Term& term : dim.terms()) {
    const bool alone = term.atoms.size() == 1 && term.atoms[0] == Index::symbol(symbol);
    if (alone && term.coefficient > 1) factor = term.coefficient;
  }
  return factor;
}

std::optional<Growth> growth_of(const Symbol& symbol, const Dim& result) {
  const auto keep = [&](const Symbol& one) {
    return one->origin == SymbolOrigin::param || one->name == symbol->name;
  };
  const std::optional<Dim> bound = bound_over(result, keep);
  if (!bound) return std::nullopt;
  Growth growth;
  for (const Dim& one : alternatives(*bound)) {
    const int64_t factor = factor_of(symbol, one);
    const Dim added = one - Index::symbol(symbol) * factor;
    if (const auto least = sound(bound_before_run(one))) {
      growth.least = max(growth.least, *least);
    } else if (const auto grown = sound(bound_before_run(added))) {
      growth.added = max(growth.added, *grown);
      growth.factor = std::max(growth.factor, factor);
    } else {
      return std::nullopt;
    }
  }
  return growth;
}

// factor ^ trips, and the sum of all powers below it; nullopt where they are no sizes.
struct Powers {
  int64_t last = 1, sum = 0;
};

std::optional<Powers> powers(int64_t factor, int64_t trips) {
  Powers out;
  for (int64_t k = 0; k < trips; ++k) {
    out.sum += out.last;
    out.last *= factor;
    if (out.last >= kMost || out.sum >= kMost) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<Dim> bound_of_growth(const Symbol& symbol, const Dim& start, const Dim& result,
                                   const Dim& trips) {
  const std::optional<Growth> growth = growth_of(symbol, result);
  const std::optional<Dim> from = bound_or_itself(start);
  if (!from || !growth) return std::nullopt;
  const Dim least = max(*from, growth->least);
  if (growth->factor == 1 && growth->added.is_constant(0)) return least;
  const std::optional<Dim> most = bound_or_itself(trips);
  if (!most) return std::nullopt;
  if (growth->factor == 1) return least + growth->added * max(*most, 0);
  const int64_t times = most->range().hi;
  if (times == kUnbounded) return std::nullopt;
  const std::optional<Powers> grown = powers(growth->factor, times);
  if (!grown) return std::nullopt;
  return sound(least * grown->last + growth->added * grown->sum);
}

}  // namespace burin

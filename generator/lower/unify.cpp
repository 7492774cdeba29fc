#include "lower/unify.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <string_view>

#include "support/diagnostics.h"

namespace burin {
namespace {

// d divided by what all its terms have in common and what is never 0: d = 0 says the same.
Dim reduced(const Dim& d) {
  std::vector<Index::Term> terms = d.terms();
  if (terms.empty()) return d;
  int64_t common = std::abs(d.constant_term());
  for (const Index::Term& term : terms) common = std::gcd(common, term.coefficient);
  std::vector<Index> factors = d.constant_term() == 0 ? terms[0].atoms : std::vector<Index>();
  for (const Index& factor : factors) {
    if (!proven_le(1, factor)) continue;
    const auto place = [&](Index::Term& term) {
      return std::find(term.atoms.begin(), term.atoms.end(), factor);
    };
    if (std::all_of(terms.begin(), terms.end(),
                    [&](Index::Term& term) { return place(term) != term.atoms.end(); })) {
      for (Index::Term& term : terms) term.atoms.erase(place(term));
    }
  }
  Dim out = d.constant_term() / common;
  for (const Index::Term& term : terms) {
    Dim one = term.coefficient / common;
    for (const Index& atom : term.atoms) one = one * atom;
    out = out + one;
  }
  return out;
}

// d = 0 solved for one symbol that occurs once, linearly, with coefficient 1 or -1.
std::optional<Substitution> solve_for_symbol(const Dim& given) {
  const Dim d = reduced(given);
  for (const Index::Term& term : d.terms()) {
    const bool alone = term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::symbol &&
                       (term.coefficient == 1 || term.coefficient == -1);
    if (!alone) continue;
    const Symbol& symbol = term.atoms[0].as_symbol();
    if (symbol->origin != SymbolOrigin::param && symbol->origin != SymbolOrigin::unknown) continue;
    const Dim rest = d - term.atoms[0] * term.coefficient;
    std::vector<Symbol> others;
    rest.collect_symbols(others);
    const bool free = std::none_of(others.begin(), others.end(), [&](const Symbol& other) {
      return other->name == symbol->name || other->origin == SymbolOrigin::run ||
             other->origin == SymbolOrigin::iter;
    });
    if (free) return Substitution{symbol, term.coefficient == 1 ? -rest : rest, 0};
  }
  return std::nullopt;
}

// d = 0 solved for the run symbol that is determined last.
std::optional<Substitution> solve_for_last(const Dim& given, const DeterminedSymbols& determined) {
  const Dim d = reduced(given);
  std::vector<Symbol> symbols;
  d.collect_symbols(symbols);
  Symbol last;
  int at = -1;
  for (const Symbol& symbol : symbols) {
    if (symbol->origin == SymbolOrigin::iter) return std::nullopt;
    if (symbol->origin != SymbolOrigin::run) continue;
    const auto found = determined.find(symbol->name);
    if (found == determined.end()) return std::nullopt;
    if (found->second.place > at) {
      last = symbol;
      at = found->second.place;
    }
  }
  if (!last) return std::nullopt;
  for (const Index::Term& term : d.terms()) {
    const bool alone = term.atoms.size() == 1 && term.atoms[0] == Index::symbol(last) &&
                       (term.coefficient == 1 || term.coefficient == -1);
    if (!alone) continue;
    const Dim rest = d - term.atoms[0] * term.coefficient;
    std::vector<Symbol> others;
    rest.collect_symbols(others);
    const bool free = std::none_of(others.begin(), others.end(),
                                   [&](const Symbol& other) { return other->name == last->name; });
    if (free) return Substitution{last, term.coefficient == 1 ? -rest : rest, 0};
  }
  return std::nullopt;
}

// Names of symbols that are one.
class Names {
 public:
  Dim last(const Dim& symbol) {
    Dim end = symbol;
    std::vector<Dim*> passed;
    for (auto at = find(end); at != next_.end(); at = find(end)) {
      passed.push_back(&at->second);
      end = at->second;
    }
    for (Dim* const next : passed) *next = end;
    return end;
  }
  void add(const Substitution& one) { next_.insert({one.symbol->name, one.value}); }

 private:
  std::map<std::string, Dim>::iterator find(const Dim& symbol) {
    return next_.find(symbol.as_symbol()->name);
  }
  std::map<std::string, Dim> next_;
};

bool renames(const Substitution& one) {
  if (one.value.kind() != IndexKind::symbol) return false;
  const SymbolInfo &from = *one.symbol, &to = *one.value.as_symbol();
  return from.min == to.min && from.max == to.max && from.hint == to.hint;
}

using Values = std::map<std::string_view, const Dim*>;

Values values_of(const std::vector<Substitution>& substitutions) {
  Values values;
  for (const Substitution& one : substitutions) values.insert({one.symbol->name, &one.value});
  return values;
}

// No value has a symbol that is replaced, so their order does not matter.
Dim replace(const Dim& dim, const Values& values) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  Dim out = dim;
  for (const Symbol& symbol : symbols) {
    const auto at = values.find(symbol->name);
    if (at != values.end()) out = out.substitute_symbol(symbol->name, *at->second);
  }
  return out;
}

}  // namespace

std::vector<Substitution> solve(const std::vector<Equation>& equations) {
  std::vector<Substitution> all;
  Names names;
  for (size_t i = 0; i < equations.size(); ++i) {
    Dim a = equations[i].a, b = equations[i].b;
    if (!all.empty()) {
      if (a.kind() != IndexKind::symbol || b.kind() != IndexKind::symbol) continue;
      a = names.last(a);
      b = names.last(b);
    }
    std::optional<Substitution> found = solve_for_symbol(a - b);
    if (!found || (!all.empty() && !renames(*found))) continue;
    found->equation = i;
    names.add(*found);
    all.push_back(std::move(*found));
    if (!renames(all[0])) break;
  }
  if (all.size() > 1) {
    for (Substitution& one : all) one.value = names.last(one.value);
  }
  return all;
}

RunFacts solve_run(const std::vector<Equation>& equations, const DeterminedSymbols& determined,
                   const RunFacts& facts) {
  RunFacts all = facts, fresh;
  for (const Equation& one : equations) {
    const std::optional<Substitution> found =
        solve_for_last(by_facts(one.a, all) - by_facts(one.b, all), determined);
    if (!found) continue;
    const std::string of = one.place.node.empty() ? "" : " of " + one.place.node;
    const RunFact fact{found->value, one.what + of};
    all.insert_or_assign(found->symbol->name, fact);
    fresh.insert_or_assign(found->symbol->name, fact);
  }
  return fresh;
}

// Values speak of what is determined earlier, so this ends.
Dim by_facts(Dim dim, const RunFacts& facts, std::string* what) {
  for (bool changed = !facts.empty(); changed;) {
    changed = false;
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    for (const Symbol& symbol : symbols) {
      if (symbol->origin != SymbolOrigin::run) continue;
      const auto at = facts.find(symbol->name);
      if (at == facts.end()) continue;
      dim = dim.substitute_symbol(symbol->name, at->second.value);
      if (what && what->empty()) *what = at->second.what;
      changed = true;
    }
  }
  return dim;
}

Dim substitute(const Dim& dim, const std::vector<Substitution>& substitutions) {
  return replace(dim, values_of(substitutions));
}

Graph substitute(Graph graph, const std::vector<Substitution>& substitutions) {
  const Values values = values_of(substitutions);
  for (GraphValue& value : graph.values) {
    if (!value.shape) continue;
    for (Dim& dim : *value.shape) dim = replace(dim, values);
  }
  return graph;
}

}  // namespace burin

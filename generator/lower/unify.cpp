#include "lower/unify.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {
namespace {

// d = 0 solved for one symbol that occurs once, linearly, with coefficient 1 or -1.
std::optional<Substitution> solve_for_symbol(const Dim& d) {
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

}  // namespace

std::optional<Substitution> solve(const std::vector<std::pair<Dim, Dim>>& equations) {
  for (size_t i = 0; i < equations.size(); ++i) {
    std::optional<Substitution> found = solve_for_symbol(equations[i].first - equations[i].second);
    if (!found) continue;
    found->equation = i;
    return found;
  }
  return std::nullopt;
}

Graph substitute(Graph graph, const Substitution& substitution) {
  for (GraphValue& value : graph.values) {
    if (!value.shape) continue;
    for (Dim& dim : *value.shape)
      dim = dim.substitute_symbol(substitution.symbol->name, substitution.value);
  }
  return graph;
}

}  // namespace burin

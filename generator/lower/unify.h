// Backward facts: dimensions that operators require to be equal determine symbols (SoD2
// section 4.1, backward transfer, as unification).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace burin {

struct Substitution {
  Symbol symbol;
  Dim value;            // free of the symbol
  size_t equation = 0;  // that determines it
};

// The first equation that determines a `param` symbol: N = value, with N alone on one side or with
// a coefficient of 1. The value may lie outside the symbol's bounds. Where it only gives a symbol
// another name, with the same bounds, so do those that follow, as far as equations are of this kind:
// nothing that was decided with the one name would be decided otherwise with the other. No value
// has a symbol that is replaced.
std::vector<Substitution> solve(const std::vector<std::pair<Dim, Dim>>& equations);

// The index, and the graph in all declared shapes, with the symbols replaced.
Dim substitute(const Dim& dim, const std::vector<Substitution>& substitutions);
Graph substitute(Graph graph, const std::vector<Substitution>& substitutions);

}  // namespace burin

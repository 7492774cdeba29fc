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
// a coefficient of 1. The value may lie outside the symbol's bounds.
std::optional<Substitution> solve(const std::vector<std::pair<Dim, Dim>>& equations);

// The graph with the symbol replaced in all declared shapes.
Graph substitute(Graph graph, const Substitution& substitution);

}  // namespace burin

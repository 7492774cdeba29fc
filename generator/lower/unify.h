// Backward facts: dimensions that operators require to be equal determine symbols (SoD2
// section 4.1, backward transfer, as unification).
#pragma once

#include <map>
#include <optional>
#include <string>
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
// a coefficient of 1, after what both sides are multiplied by is taken away. The value may lie
// outside the symbol's bounds. Where it only gives a symbol another name, with the same bounds, so
// do those that follow, as far as equations are of this kind: nothing that was decided with the one
// name would be decided otherwise with the other. No value has a symbol that is replaced.
std::vector<Substitution> solve(const std::vector<std::pair<Dim, Dim>>& equations);

// What dynamic sizes must be, by name. A value has sizes of the caller and
// such of the run that are determined earlier.
using RunFacts = std::map<std::string, Dim>;

// Run symbols that every run determines: where in their order, and which node of the model.
struct Determined {
  int place = 0;
  int64_t node = 0;
};
using DeterminedSymbols = std::map<std::string, Determined>;

// What the equations say about these symbols, beyond `facts`.
RunFacts solve_run(const std::vector<std::pair<Dim, Dim>>& equations,
                   const DeterminedSymbols& determined, const RunFacts& facts);
// The index with the values of facts.
Dim by_facts(Dim dim, const RunFacts& facts);

// The index, and the graph in all declared shapes, with the symbols replaced.
Dim substitute(const Dim& dim, const std::vector<Substitution>& substitutions);
Graph substitute(Graph graph, const std::vector<Substitution>& substitutions);

}  // namespace burin

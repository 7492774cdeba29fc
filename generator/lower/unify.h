// Backward facts: dimensions that operators require to be equal determine symbols (SoD2
// section 4.1, backward transfer, as unification).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "support/diagnostics.h"

namespace burin {

// What a node requires to be equal: sizes with symbols in them, and by which rule.
struct Equation {
  Dim a, b;
  std::string what;
  Location place;
};

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
std::vector<Substitution> solve(const std::vector<Equation>& equations);

// What dynamic sizes must be, by name. A value has sizes of the caller and
// such of the run that are determined earlier.
struct RunFact {
  Dim value;
  std::string what;  // the rule that says so, and whose: "inner dimensions of 'product'"
};
using RunFacts = std::map<std::string, RunFact>;

// Run symbols that every run determines: where in their order, and which node of the model.
struct Determined {
  int place = 0;
  int64_t node = 0;
};
using DeterminedSymbols = std::map<std::string, Determined>;

// What the equations say about these symbols, beyond `facts`.
RunFacts solve_run(const std::vector<Equation>& equations, const DeterminedSymbols& determined,
                   const RunFacts& facts);
// The index with the values of facts; `what` becomes the rule of the first that is used.
Dim by_facts(Dim dim, const RunFacts& facts, std::string* what = nullptr);

// The index, and the graph in all declared shapes, with the symbols replaced.
Dim substitute(const Dim& dim, const std::vector<Substitution>& substitutions);
Graph substitute(Graph graph, const std::vector<Substitution>& substitutions);

}  // namespace burin

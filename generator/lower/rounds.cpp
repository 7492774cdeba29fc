// The passes over a model, until no equation says more about its sizes.
#include <algorithm>

#include "lower/admitted_sizes.h"
#include "lower/branch_ranks.h"
#include "lower/early_checks.h"
#include "lower/engine.h"
#include "lower/narrow_sizes.h"
#include "lower/unify.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr int64_t kFoldAll = 1'000'000'000;  // operations of folding all nodes; others are run
constexpr int kMostNarrowings = 4;           // rounds for ranges that checks leave
constexpr int64_t kNodesRounds = 400'000;    // lowered once more for symbols that are solved for

std::string range_text(const SymbolInfo& symbol) {
  return symbol.max == kUnbounded
             ? "at least " + std::to_string(symbol.min)
             : "between " + std::to_string(symbol.min) + " and " + std::to_string(symbol.max);
}

// Every bound is that of a symbol which the run has.
void check_bounds(const LowerOptions& options, const std::vector<Symbol>& symbols) {
  for (const SymbolBound& bound : options.bounds) {
    if (bound.of_any || std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
          return symbol->name == bound.name;
        }))
      continue;
    std::vector<std::string> names = options.input_dims;
    for (const Symbol& symbol : symbols) names.push_back(symbol->name);
    std::string list;
    constexpr size_t kShown = 16;
    for (size_t n = 0; n < names.size() && n < kShown; ++n)
      list += (n > 0 ? ", " : "") + quoted(names[n]);
    if (names.size() > kShown) list += ", ...";
    refuse("symbol", "no input has a dimension named " + quoted(bound.name),
           names.empty() ? "all inputs have fixed sizes" : "the model has: " + list);
  }
}

// The dimension is replaced; that it is inside its range remains to be checked.
std::optional<Check> range_check(const Substitution& found, const Engine& engine,
                                 const std::vector<std::string>& given) {
  const SymbolInfo& symbol = *found.symbol;
  const Dim end = symbol.max == kUnbounded ? Dim(kUnbounded) : Dim(symbol.max + 1);
  const std::optional<Guard> range = simplify({{found.value, symbol.min, end}});
  if (!range) {
    located(engine.place_of_equation(found.equation), [&] {
      refuse("shape-mismatch",
             "dimension " + quoted(symbol.name) + " must be " + to_string(found.value) +
                 ", which is not " + range_text(symbol),
             found.value.is_constant() && found.value.constant() >= 0
                 ? "allow it with " + dim_flag(symbol.name, to_string(found.value))
                 : "");
    });
  }
  if (found.value.is_constant()) {
    located(engine.place_of_equation(found.equation),
            [&] { refuse_range_of_one(symbol, found.value.constant(), given); });
  }
  if (range->empty()) return std::nullopt;
  return Check{*range, "dimension " + quoted(symbol.name), {}};
}

// An open size that a node leaves one number of.
std::optional<Diagnostic> only_one(const Substitution& found, const Engine& engine) {
  const SymbolInfo& symbol = *found.symbol;
  if (symbol.origin != SymbolOrigin::param || symbol.min == symbol.max ||
      !found.value.is_constant())
    return std::nullopt;
  return only_one_left(symbol, found.value.constant(), engine.place_of_equation(found.equation),
                       engine.equations()[found.equation].what);
}

// The checks that every run makes before it does anything.
std::vector<Check> checks_of(const Steps& steps) {
  std::vector<Check> out;
  for (const Step& step : steps) {
    if (const auto* check = std::get_if<Check>(&step)) out.push_back(*check);
  }
  return out;
}

Graph with_ranges(Graph graph, const std::vector<Substitution>& narrowed) {
  for (const Substitution& one : narrowed) {
    for (Symbol& symbol : graph.symbols) {
      if (symbol->name == one.symbol->name && one.value.kind() == IndexKind::symbol)
        symbol = one.value.as_symbol();
    }
  }
  return substitute(std::move(graph), narrowed);
}

// The same with sizes replaced, less what holds then.
std::vector<Check> with_sizes(std::vector<Check> checks, const std::vector<Substitution>& found) {
  std::vector<Check> out;
  for (Check& check : checks) {
    for (Condition& condition : check.guard) condition.index = substitute(condition.index, found);
    const std::optional<Guard> left = simplify(check.guard);
    if (left && left->empty()) continue;
    out.push_back(std::move(check));
  }
  return out;
}

// What passes found out about dynamic sizes, as long as the symbols mean what they meant then.
class FactsOfRun {
 public:
  const RunFacts& facts() const { return facts_; }
  // Whether every symbol is made where it was made when the facts were found; else all are
  // forgotten.
  bool still_hold(const DeterminedSymbols& now) {
    for (const auto& [name, node] : makers_) {
      const auto at = now.find(name);
      if (at != now.end() && at->second.node == node) continue;
      facts_.clear();
      makers_.clear();
      ++forgotten_;
      return false;
    }
    return true;
  }
  // Whether the pass said more.
  bool learn(const Engine& engine) {
    constexpr int kMostForgotten = 3;
    if (forgotten_ > kMostForgotten) return false;
    const RunFacts fresh = solve_run(engine.equations(), engine.determined(), facts_);
    for (const auto& [name, fact] : fresh) {
      facts_.insert_or_assign(name, fact);
      std::vector<Symbol> symbols;
      fact.value.collect_symbols(symbols);
      remember(name, engine);
      for (const Symbol& symbol : symbols) remember(symbol->name, engine);
    }
    return !fresh.empty();
  }
  // Other ranges of the caller's sizes: other symbols are made, and what they are is asked anew.
  void narrow_callers(const std::vector<Substitution>& found) {
    substitute_callers(found);
    forgotten_ = 0;
  }
  void substitute_callers(const std::vector<Substitution>& found) {
    for (auto& [name, fact] : facts_) fact.value = substitute(fact.value, found);
  }

 private:
  void remember(const std::string& name, const Engine& engine) {
    const auto at = engine.determined().find(name);
    if (at != engine.determined().end()) makers_.emplace(name, at->second.node);
  }

  RunFacts facts_;
  std::map<std::string, int64_t> makers_;
  int forgotten_ = 0;
};

}  // namespace

Lowered lower_rounds(const Graph& graph, const LowerOptions& options) {
  return located({.file = graph.file}, [&] {
    Graph current = graph;
    int64_t fold_left = kFoldAll, nodes = 0;
    std::vector<Check> assumptions;
    FactsOfRun run;
    std::vector<Diagnostic> notes;
    size_t solved = 0;
    int narrowings = 0;
    // Each round replaces symbols by what they must be, or learns of dynamic sizes; there are
    // only so many.
    for (int passes = 1;; ++passes) {
      Engine engine(current, options, fold_left, run.facts());
      Lowered lowered = engine.run();
      nodes += static_cast<int64_t>(lowered.nodes.size());
      if (!run.still_hold(engine.determined())) continue;
      const std::vector<Substitution> found = solve(engine.equations());
      if (found.empty()) {
        if (nodes <= kNodesRounds && run.learn(engine)) continue;
        lowered.graph.steps.insert(lowered.graph.steps.begin(), assumptions.begin(),
                                   assumptions.end());
        check_given_sizes(lowered.graph.steps, lowered.graph.symbols, options.given);
        const NarrowedSizes narrowed =
            narrowed_sizes(checks_of(lowered.graph.steps), lowered.graph.symbols);
        if (!narrowed.sizes.empty() && narrowings++ < kMostNarrowings && nodes <= kNodesRounds) {
          for (const Substitution& one : narrowed.sizes) {
            if (one.value.is_constant())
              refuse_range_of_one(*one.symbol, one.value.constant(), options.given);
          }
          notes.insert(notes.end(), narrowed.notes.begin(), narrowed.notes.end());
          assumptions = with_sizes(std::move(assumptions), narrowed.sizes);
          current = with_ranges(std::move(current), narrowed.sizes);
          run.narrow_callers(narrowed.sizes);
          continue;
        }
        // Rounds before this one may have had other sizes, which a refusal behind this stage names.
        check_bounds(options, engine.run_symbols());
        lowered.graph.steps = early_checks(std::move(lowered.graph.steps));
        for (const Symbol& symbol : engine.run_symbols()) lowered.run_sizes.push_back(symbol->name);
        lowered.passes = passes;
        lowered.notes.insert(lowered.notes.end(), notes.begin(), notes.end());
        for (Diagnostic& note : lowered.notes) note.where.file = graph.file;
        return lowered;
      }
      if (++solved > graph.symbols.size())
        refuse("shape-mismatch", "the dimensions of the model contradict each other");
      if (nodes > kNodesRounds)
        refuse("limit", "too many sizes of the model must be equal to be found out one by one",
               "give them one name in the model, or a number with --dim");
      for (const Substitution& one : found) {
        if (const std::optional<Diagnostic> note = only_one(one, engine)) notes.push_back(*note);
        if (std::optional<Check> check = range_check(one, engine, options.given))
          assumptions.push_back(std::move(*check));
      }
      assumptions = with_sizes(std::move(assumptions), found);
      current = substitute(std::move(current), found);
      run.substitute_callers(found);
    }
  });
}

}  // namespace burin

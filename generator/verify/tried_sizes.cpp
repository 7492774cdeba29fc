#include "verify/tried_sizes.h"

#include <algorithm>
#include <optional>

#include "kernel/index/size_bound.h"
#include "lower/admitted_point.h"

namespace burin {
namespace {

constexpr int64_t kMostSearched = 65536;  // sizes, for each check
constexpr size_t kMostTried = 16;

// The symbol that a check is about, where it is about one, which is the caller's.
std::optional<Symbol> subject_of(const Check& check) {
  std::vector<Symbol> symbols;
  for (const Condition& one : check.guard) {
    for (const Index* index : {&one.index, &one.lo, &one.hi}) {
      if (!is_known_before_run(*index)) return std::nullopt;
      index->collect_symbols(symbols);
    }
  }
  if (symbols.empty()) return std::nullopt;
  for (const Symbol& symbol : symbols) {
    if (symbol->name != symbols[0]->name || symbol->origin != SymbolOrigin::param)
      return std::nullopt;
  }
  return symbols[0];
}

bool holds(const Check& check, int64_t size) {
  const auto leaf = [&](const Index&) { return size; };
  return std::all_of(check.guard.begin(), check.guard.end(), [&](const Condition& one) {
    const int64_t value = one.index.evaluate(leaf);
    return one.lo.evaluate(leaf) <= value && value < one.hi.evaluate(leaf);
  });
}

}  // namespace

std::vector<SampleSizes> sizes_to_try(const KernelGraph& graph) {
  std::vector<SampleSizes> out;
  const auto add = [&](const SampleSizes& sizes) {
    if (out.size() < kMostTried && std::find(out.begin(), out.end(), sizes) == out.end())
      out.push_back(sizes);
  };
  for (const int way : {0, 1, 2}) {
    SampleSizes sizes;
    int64_t next = 2;
    for (const Symbol& symbol : graph.symbols) {
      const int64_t wanted = way == 0 ? next++ : way == 1 ? 2 : symbol->min;
      sizes[symbol->name] = std::clamp(wanted, symbol->min, symbol->max);
    }
    add(sizes);
  }
  // With sizes that differ, with equal ones; each check by itself, then all so far: those of one
  // symbol that stand behind each other ask for more and more.
  std::vector<SampleSizes> bases(out.begin(),
                                 out.begin() + std::min<std::ptrdiff_t>(2, std::ssize(out)));
  std::vector<SampleSizes> all = bases, last = bases;
  for_each_step(graph.steps, [&](const Step& step) {
    const Check* check = std::get_if<Check>(&step);
    const std::optional<Symbol> symbol = check ? subject_of(*check) : std::nullopt;
    if (!symbol || bases.empty() || !bases[0].contains((*symbol)->name)) return;
    const int64_t first = (*symbol)->min;
    const int64_t end = std::min((*symbol)->max, first + kMostSearched);
    for (int64_t size = first; size <= end; ++size) {
      if (!holds(*check, size)) continue;
      for (size_t k = 0; k < bases.size(); ++k) {
        SampleSizes sizes = bases[k];
        sizes[(*symbol)->name] = size;
        int64_t& most = all[k][(*symbol)->name];
        most = std::max(most, size);
        if (std::find(last.begin(), last.end(), sizes) == last.end()) last.push_back(sizes);
      }
      return;
    }
  });
  // What all checks of every run admit together, near to those; then what the tree is made for.
  const std::vector<Check> checks = checks_of_every_run(graph.steps, graph.symbols);
  SampleSizes hints;
  for (const Symbol& symbol : graph.symbols) hints[symbol->name] = at_hints(Index::symbol(symbol));
  for (const SampleSizes& base : bases) {
    int64_t work = kMostSearched;
    if (const auto found = admitted_point(checks, graph.symbols, base, work)) add(*found);
  }
  for (const std::vector<SampleSizes>* list : {&all, &last}) {
    for (const SampleSizes& sizes : *list) add(sizes);
  }
  if (!graph.symbols.empty()) add(hints);
  return out;
}

}  // namespace burin

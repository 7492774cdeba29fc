#include "kernel/size_bound.h"

#include <algorithm>
#include <vector>

#include "kernel/index_node.h"

namespace burin {
namespace {

bool is_param(const Symbol& symbol) { return symbol->origin == SymbolOrigin::param; }

// The bound of one symbol that is not kept.
std::optional<Dim> bound_of_symbol(const SymbolInfo& symbol,
                                   const std::function<bool(const Symbol&)>& keep) {
  if (symbol.most) {
    if (std::optional<Dim> bound = bound_over(*symbol.most, keep)) return bound;
  }
  if (symbol.max == kUnbounded) return std::nullopt;
  return Dim(symbol.max);
}

}  // namespace

bool is_known_before_run(const Dim& dim) {
  if (dim.has_axes() || dim.has_data()) return false;
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  return std::all_of(symbols.begin(), symbols.end(), is_param);
}

std::optional<Dim> bound_over(const Dim& dim, const std::function<bool(const Symbol&)>& keep) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  symbols.erase(std::remove_if(symbols.begin(), symbols.end(), keep), symbols.end());
  if (symbols.empty()) return dim;
  // A symbol in [min, bound] takes the values of min + axis: the bound over axes is known.
  int axis = 0;
  Dim over_axes = dim;
  for (const Symbol& symbol : symbols) {
    const std::optional<Dim> bound = bound_of_symbol(*symbol, keep);
    if (!bound) return std::nullopt;
    over_axes = over_axes.substitute_symbol(
        symbol->name, Index::axis(axis++, *bound - symbol->min + 1) + symbol->min);
  }
  if (std::optional<Dim> bound = over_axes.upper_bound()) return bound;
  const int64_t highest = dim.range().hi;
  return highest == kUnbounded ? std::nullopt : std::optional(Dim(highest));
}

std::optional<Dim> bound_before_run(const Dim& dim) { return bound_over(dim, is_param); }

bool is_bounded_before_run(const Dim& dim) { return bound_before_run(dim).has_value(); }

bool has_bound_of_caller(const SymbolInfo& symbol) {
  if (!symbol.most) return false;
  std::vector<Symbol> symbols;
  symbol.most->collect_symbols(symbols);
  return std::all_of(symbols.begin(), symbols.end(), is_param);
}

}  // namespace burin

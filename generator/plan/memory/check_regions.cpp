#include "plan/memory/check_regions.h"

#include <algorithm>

namespace burin {

bool is_room(const Value& value) {
  std::vector<Symbol> symbols;
  for (const Dim& extent : value.shape) extent.collect_symbols(symbols);
  return value.kind == ValueKind::output &&
         std::none_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) {
           return symbol->origin == SymbolOrigin::run || symbol->origin == SymbolOrigin::iter;
         });
}

std::vector<Symbol> sizes_of(const KernelGraph& graph) {
  std::vector<Symbol> symbols = graph.symbols;
  for (const Value& value : graph.values) {
    for (const Dim& dim : value.shape) dim.collect_symbols(symbols);
  }
  std::sort(symbols.begin(), symbols.end(),
            [](const Symbol& a, const Symbol& b) { return a->name < b->name; });
  symbols.erase(std::unique(symbols.begin(), symbols.end(),
                            [](const Symbol& a, const Symbol& b) { return a->name == b->name; }),
                symbols.end());
  return symbols;
}

int64_t size_in_sample(const Symbol& symbol, int sample, int64_t high_cut) {
  const auto other = [&](const Index& leaf) {
    return size_in_sample(leaf.as_symbol(), sample, high_cut);
  };
  const int64_t most =
      symbol->most ? std::max(symbol->min, symbol->most->evaluate(other)) : symbol->max;
  const int64_t hint = std::min(most, at_hints(Index::symbol(symbol)));
  const int64_t high = most == kUnbounded ? 2 * std::max<int64_t>(hint, symbol->min) + 3
                                          : std::min(most, std::max({symbol->min, hint, high_cut}));
  switch (sample) {
    case 0:
      return hint;
    case 1:
      return symbol->min;
    case 2:
      return high;
    default: {  // differs by name, so that two symbols are not always equal
      uint64_t hash = static_cast<uint64_t>(sample);
      for (const char c : symbol->name) hash = hash * 131 + static_cast<unsigned char>(c);
      const int64_t span = std::min<int64_t>(high - symbol->min + 1, 4 * hint + 8);
      return symbol->min +
             static_cast<int64_t>(hash % static_cast<uint64_t>(std::max<int64_t>(1, span)));
    }
  }
}

}  // namespace burin

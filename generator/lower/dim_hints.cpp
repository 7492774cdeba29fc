#include "lower/dim_hints.h"

#include <algorithm>

#include "support/dim_flag.h"

namespace burin {

std::string size_to_give(const Dim& a, const Dim& b) {
  const Dim &open = a.is_constant() ? b : a, &fixed = a.is_constant() ? a : b;
  if (open.kind() != IndexKind::symbol || !fixed.is_constant() || fixed.constant() < 0) return {};
  const SymbolInfo& symbol = *open.as_symbol();
  if (symbol.origin != SymbolOrigin::param) return {};
  return "allow it with " + dim_flag(symbol.name, to_string(fixed));
}

std::string size_to_fix(const std::vector<Dim>& shape) {
  std::vector<Symbol> symbols;
  for (const Dim& dim : shape) dim.collect_symbols(symbols);
  std::string flags;
  for (const Symbol& symbol : symbols)
    flags += " " + dim_flag(symbol->name, std::to_string(std::max<int64_t>(1, symbol->min)));
  return flags.empty() ? "" : "fix the size of that input with" + flags + " or another number";
}

}  // namespace burin

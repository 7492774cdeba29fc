#include "ops/api/loops/emitted_extents.h"

#include <algorithm>

#include "kernel/defined_symbols.h"
#include "kernel/index/size_bound.h"

namespace burin {

Varies varies_in(const Steps& body, const std::set<std::string>& others) {
  std::set<std::string> changing = others;
  for (const Step& step : body) changing.merge(defined_symbols(step));
  return [changing = std::move(changing)](const Dim& dim) {
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& symbol) { return changing.contains(symbol->name); });
  };
}

Symbol extent_of_first(OpContext& op, const Dim& extent, const Varies& varies) {
  const std::optional<Dim> most =
      bound_over(extent, [&](const Symbol& one) { return !varies(Index::symbol(one)); });
  const Symbol kept = op.run_symbol("emitted_extent", {0, most ? *most : Dim(kUnbounded)});
  op.bind(kept, Expr::index(0));
  return kept;
}

void keep_extent(OpContext& op, const Symbol& kept, const Dim& extent, const Expr& is_first) {
  const Dim first = Index::symbol(kept);
  op.bind(kept, Expr::select(is_first, Expr::index(extent), Expr::index(first)));
  op.require_equal(extent, first, "emitted extent");
}

void check_emitted(OpContext& op, const Steps& checks, Steps& body) {
  const Varies varies = varies_in(body, {});
  for (const Step& check : checks) {
    const std::vector<Symbol> symbols = symbols_of(check);
    const bool inside = std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
      return varies(Index::symbol(symbol));
    });
    if (inside) {
      op.collect(body, [&] { op.emit(Step(check)); });
    } else {
      op.emit(Step(check));
    }
  }
}

}  // namespace burin

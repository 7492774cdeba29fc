#include "differential/support/sizes.h"

#include "support/diagnostics.h"

namespace burin {

std::optional<Lowered> lowered(const Graph& graph) {
  try {
    return lower(graph, {});
  } catch (const Refused&) {
    return std::nullopt;
  }
}

std::optional<int64_t> value_at(const Dim& dim, const Sizes& sizes) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  for (const Symbol& symbol : symbols) {
    if (!sizes.contains(symbol->name)) return std::nullopt;
  }
  return dim.evaluate([&](const Index& leaf) { return sizes.at(leaf.as_symbol()->name); });
}

Graph with_sizes(Graph graph, const KernelGraph& open, const Sizes& sizes) {
  for (size_t k = 0; k < graph.block.inputs.size(); ++k) {
    GraphValue& input = graph.values[static_cast<size_t>(graph.block.inputs[k])];
    const Value& value = open.values[static_cast<size_t>(open.inputs[k])];
    input.shape.emplace();
    for (const Dim& dim : value.shape) input.shape->push_back(*value_at(dim, sizes));
  }
  graph.symbols.clear();
  return graph;
}

}  // namespace burin

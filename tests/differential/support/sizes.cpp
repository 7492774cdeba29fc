#include "differential/support/sizes.h"

#include <gtest/gtest.h>

#include <set>

#include "kernel/index/size_bound.h"
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
    if (input.type == Type::string) input.shape->pop_back();  // the bytes of each
  }
  graph.symbols.clear();
  return graph;
}

Graph without_declared_shapes(Graph graph) {
  const std::set<GraphValueId> inputs(graph.block.inputs.begin(), graph.block.inputs.end());
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (!graph.values[v].constant && !inputs.contains(static_cast<GraphValueId>(v)))
      graph.values[v].shape.reset();
  }
  return graph;
}

std::vector<Range> ranges_of(const std::vector<int64_t>& shape) {
  std::vector<Range> out;
  for (const int64_t extent : shape) out.push_back({extent, extent});
  return out;
}

void expect_extents(const std::string& name, const std::vector<Dim>& shape,
                    const std::vector<Range>& found, const Sizes& sizes, Extents& compared) {
  ASSERT_EQ(shape.size(), found.size()) << "rank of " << name;
  for (size_t d = 0; d < shape.size(); ++d) {
    const Dim& dim = shape[d];
    const std::string what =
        "dimension " + std::to_string(d) + " of " + name + ", " + to_string(dim);
    if (const std::optional<int64_t> value = value_at(dim, sizes)) {
      EXPECT_EQ(found[d].lo, *value) << what;
      EXPECT_EQ(found[d].hi, *value) << what;
      ++compared.exact;
      continue;
    }
    const Range range = dim.range();
    EXPECT_LE(range.lo, found[d].lo) << what;
    EXPECT_GE(range.hi, found[d].hi) << what;
    if (const std::optional<Dim> most = bound_before_run(dim)) {
      EXPECT_GE(*value_at(*most, sizes), found[d].hi) << what << " at most " << to_string(*most);
    }
    ++compared.bounded;
  }
}

}  // namespace burin

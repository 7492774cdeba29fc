// A model whose extents are symbols, lowered with numbers in their place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lower/lower.h"

namespace burin {

using Sizes = std::map<std::string, int64_t>;

// nullopt: refused.
std::optional<Lowered> lowered(const Graph& graph);

// nullopt where a size is one that only the run knows.
std::optional<int64_t> value_at(const Dim& dim, const Sizes& sizes);

// The model with these sizes in place of symbols; `open`: it with symbols.
Graph with_sizes(Graph graph, const KernelGraph& open, const Sizes& sizes);

}  // namespace burin

// A model whose extents are symbols, lowered with numbers in their place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lower/lower.h"

namespace burin {

using Sizes = std::map<std::string, int64_t>;

// nullopt: refused.
std::optional<Lowered> lowered(const Graph& graph);

// nullopt where a size is dynamic.
std::optional<int64_t> value_at(const Dim& dim, const Sizes& sizes);

// The model with these sizes in place of symbols; `open`: it with symbols.
Graph with_sizes(Graph graph, const KernelGraph& open, const Sizes& sizes);

// Without what the file says about the shapes of results, which would stand for what decides them.
Graph without_declared_shapes(Graph graph);

// Dimensions that were compared: known before the run, and within bounds.
struct Extents {
  int exact = 0, bounded = 0;
};

// Extents that a tensor has in all runs of its node.
std::vector<Range> ranges_of(const std::vector<int64_t>& shape);

// Expects that what is known of a tensor's shape holds at these sizes.
void expect_extents(const std::string& name, const std::vector<Dim>& shape,
                    const std::vector<Range>& found, const Sizes& sizes, Extents& compared);

}  // namespace burin

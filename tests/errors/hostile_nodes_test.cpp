// Models with absurd numbers: every integer that an attribute or a small constant of the ONNX
// project's models holds is replaced by extreme ones. Each result must be lowered or refused in one
// line; anything else, a failed check above all, is a bug.
#include <gtest/gtest.h>

#include <iostream>
#include <limits>

#include "graph/graph.h"
#include "import/import.h"
#include "lower/lower.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin::hostile_nodes_test {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();
const std::vector<int64_t> kExtremes = {kSmallest, -kLargest,          -1,      0, 1, 2, 7,
                                        65536,     (int64_t{1} << 31), kLargest};

struct Counts {
  int lowered = 0, refused = 0;
};

void try_lowering(const Graph& graph, const std::string& what, Counts& counts) {
  try {
    lower(graph, {});
    ++counts.lowered;
  } catch (const Refused&) {
    ++counts.refused;
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

std::vector<Graph> with_changed_attribute(const Graph& graph, size_t node, size_t attribute) {
  std::vector<Graph> out;
  const auto change = [&](auto value) {
    out.push_back(graph);
    out.back().block.nodes[node].attributes[attribute].value = std::move(value);
  };
  const auto& value = graph.block.nodes[node].attributes[attribute].value;
  if (std::holds_alternative<int64_t>(value)) {
    for (const int64_t extreme : kExtremes) change(extreme);
  } else if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) {
    for (const int64_t extreme : kExtremes) {
      for (size_t k = 0; k < list->size(); ++k) {
        std::vector<int64_t> changed = *list;
        changed[k] = extreme;
        change(std::move(changed));
      }
      std::vector<int64_t> longer = *list;
      longer.push_back(extreme);
      change(std::move(longer));
    }
    change(std::vector<int64_t>{});
  }
  return out;
}

// An input that is a short list of integers becomes a constant with extreme entries.
std::vector<Graph> with_held_input(const Graph& graph, size_t input) {
  std::vector<Graph> out;
  const GraphValueId id = graph.block.inputs[input];
  const GraphValue& value = graph.values[static_cast<size_t>(id)];
  if (value.type != Type::i64 || !value.shape || value.shape->size() > 1) return out;
  const int64_t count = value.shape->empty() ? 1 : value.shape->at(0).as_constant().value_or(9);
  if (count > 8) return out;
  for (const int64_t extreme : kExtremes) {
    for (int64_t k = 0; k < count; ++k) {
      std::vector<int64_t> numbers(static_cast<size_t>(count), 1);
      numbers[static_cast<size_t>(k)] = extreme;
      std::vector<int64_t> shape;
      if (!value.shape->empty()) shape.push_back(count);
      out.push_back(graph);
      out.back().values[static_cast<size_t>(id)].constant =
          Tensor{Type::i64, shape, to_constant(make_tensor(Type::i64, shape, numbers)), {}};
      std::vector<GraphValueId>& inputs = out.back().block.inputs;
      inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(input));
    }
  }
  return out;
}

TEST(HostileNodes, ExtremeNumbersAreLoweredOrRefused) {
  Counts counts;
  for (const std::string& folder : find_cases("/usr/share/libonnx-testdata/data/node")) {
    Graph graph;
    try {
      graph = import_model(folder + "/model.onnx");
    } catch (const Refused&) {
      continue;
    }
    // What the file says about results would refuse most changes.
    for (GraphValue& value : graph.values) {
      const bool input = std::find(graph.block.inputs.begin(), graph.block.inputs.end(),
                                   &value - graph.values.data()) != graph.block.inputs.end();
      if (!input && !value.constant) value.shape.reset();
    }
    for (size_t n = 0; n < graph.block.nodes.size(); ++n) {
      for (size_t a = 0; a < graph.block.nodes[n].attributes.size(); ++a) {
        for (const Graph& changed : with_changed_attribute(graph, n, a))
          try_lowering(changed, folder, counts);
      }
    }
    for (size_t k = 0; k < graph.block.inputs.size(); ++k) {
      for (const Graph& changed : with_held_input(graph, k)) try_lowering(changed, folder, counts);
    }
  }
  std::cout << counts.lowered << " lowered, " << counts.refused << " refused\n";
  EXPECT_GT(counts.refused, 1000);
  EXPECT_GT(counts.lowered, 1000);
}

}  // namespace
}  // namespace burin::hostile_nodes_test

#include "pipeline_input.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/hold.h"
#include "graph/input_value.h"
#include "graph/merge_models.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"
#include "support/sha256.h"

namespace burin {
namespace {

// Several files as one graph. What is said about sizes by name is about those of one file.
Graph import_parts(const CompileOptions& options, OtherDims& others) {
  std::vector<GraphPart> parts;
  Sha256 hash;
  for (const ModelPart& part : options.parts) {
    const std::string prefix = part.name + ".";
    OtherDims own;
    parts.push_back({prefix, import_model(part.model, part.import, &own)});
    hash.update(parts.back().graph.sha256);
    for (DimBinding& binding : own.bindings) {
      // No input's: a size that lowering names after the node, whose name has the prefix then.
      binding.name = typeable_name(prefix + binding.name);
      others.bindings.push_back(std::move(binding));
    }
    for (const std::string& name : own.names) others.names.push_back(prefix + name);
  }
  Graph merged = merge_graphs(std::move(parts), options.name);
  merged.sha256 = hash.hex();
  return merged;
}

Graph import_all(const CompileOptions& options, OtherDims& others) {
  return options.parts.empty() ? import_model(options.model, options.import, &others)
                               : import_parts(options, others);
}

}  // namespace

Graph input_graph(const CompileOptions& options, OtherDims& others) {
  Graph graph = import_all(options, others);
  if (options.adjust) graph = options.adjust(std::move(graph));
  // From the last, so that the places of the others stay.
  for (auto held = options.held.rbegin(); held != options.held.rend(); ++held) {
    BURIN_CHECK(held->first < graph.block.inputs.size(), "no such input");
    graph = hold_input(std::move(graph), graph.block.inputs[held->first], held->second);
  }
  return graph;
}

void hold_values(CompileOptions& options, const std::vector<std::string>& flags) {
  if (flags.empty()) return;
  OtherDims others;
  const Graph graph = import_model(options.model, options.import, &others);
  located({.file = options.model}, [&] {
    for (const std::string& flag : flags) {
      const InputValue value = parse_input_value(flag);
      std::string names;
      std::optional<size_t> place;
      for (size_t i = 0; i < graph.block.inputs.size(); ++i) {
        const GraphValue& input = graph.values[static_cast<size_t>(graph.block.inputs[i])];
        if (input.name == value.name) place = i;
        names += (names.empty() ? "" : ", ") + quoted(input.name);
      }
      if (!place)
        refuse("input", "the model has no input named " + quoted(value.name),
               "its inputs are " + names);
      const GraphValue& input = graph.values[static_cast<size_t>(graph.block.inputs[*place])];
      if (!options.held.emplace(*place, tensor_of(input, value)).second)
        refuse("input", "input " + quoted(value.name) + " is given twice");
    }
  });
}

}  // namespace burin

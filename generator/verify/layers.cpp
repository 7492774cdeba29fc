#include "verify/layers.h"

#include <map>
#include <set>

#include "kernel/interpreter/interpreter.h"
#include "pipeline_input.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "verify/nibbles.h"

namespace burin {
namespace {

constexpr int64_t kLayerOperations = int64_t{1} << 32;  // of the interpreter: a minute

// Tensors that nodes outside of nested graphs give, by their names.
std::map<std::string, GraphValueId> named_results(const Graph& graph) {
  std::map<std::string, GraphValueId> out;
  for (const Node& node : graph.block.nodes) {
    for (const GraphValueId id : node.outputs) {
      if (id == kAbsent) continue;
      const GraphValue& value = graph.values[static_cast<size_t>(id)];
      if (!value.name.empty() && value.container.empty()) out.emplace(value.name, id);
    }
  }
  for (const GraphValueId id : graph.block.outputs)
    out.erase(graph.values[static_cast<size_t>(id)].name);
  return out;
}

}  // namespace

std::vector<Layer> layers_of(const Compiled& compiled, const CompileOptions& options) {
  OtherDims others;
  const Graph graph = input_graph(options, others);
  const std::map<std::string, GraphValueId> known = named_results(graph);
  std::vector<Layer> out;
  std::set<std::string> seen;
  for_each_step(compiled.plan.graph.steps, [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    const Procedure* procedure = std::get_if<Procedure>(&step);
    if (!kernel && !procedure) return;
    for (const ValueId id : writes_of(step)) {
      const std::string& name = compiled.plan.graph.values[static_cast<size_t>(id)].name;
      if (known.contains(name) && seen.insert(name).second)
        out.push_back({name, (kernel ? kernel->origins : procedure->origins).list()});
    }
  });
  return out;
}

CompileOptions with_layers(CompileOptions options, const std::vector<Layer>& layers) {
  options.adjust = [layers, before = options.adjust](Graph graph) {
    if (before) graph = before(std::move(graph));
    const std::map<std::string, GraphValueId> known = named_results(graph);
    for (const Layer& layer : layers) graph.block.outputs.push_back(known.at(layer.tensor));
    return graph;
  };
  return options;
}

NamedCase with_all_results(const Compiled& compiled, NamedCase one) {
  DataCase& data = one.data;
  const KernelGraph& lowered = compiled.lowered;
  InterpretOptions budget;
  budget.operations = kLayerOperations;
  RunResult result = interpret(lowered, in_widths_of(lowered, lowered.inputs, data.run.inputs),
                               data.run.symbols, budget);
  if (result.status != kRunOk) {
    refuse("io",
           result.status == kRunOverBudget
               ? "the interpreter, which layers are held to, would take too long"
               : "the interpreter, which layers are held to, stops: " + result.message,
           "give smaller inputs with --data");
  }
  const KernelGraph& graph = compiled.plan.graph;
  std::vector<HostTensor> all = in_widths_of(graph, graph.outputs, std::move(result.outputs));
  data.wanted.resize(all.size());
  data.run.wanted.resize(all.size());
  for (size_t k = 0; k < all.size(); ++k) {
    if (data.wanted[k]) continue;
    data.run.wanted[k] = all[k].shape;
    data.wanted[k] = std::move(all[k]);
  }
  return one;
}

void split_layers(const std::vector<Layer>& layers, size_t outputs, DataSetVerdict& verdict) {
  // Nothing was compared where the run failed.
  if (verdict.outputs.size() < outputs + layers.size()) return;
  for (size_t k = 0; k < layers.size(); ++k)
    verdict.layers.push_back({layers[k].nodes, std::move(verdict.outputs[outputs + k])});
  verdict.outputs.resize(outputs);
}

}  // namespace burin

#include "ops/support/node_runner.h"

#include <stdexcept>

#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/diagnostics.h"

namespace burin {

HostTensor counting(std::vector<int64_t> shape, Type type) {
  int64_t count = 1;
  for (const int64_t dim : shape) count *= dim;
  std::vector<int64_t> numbers;
  for (int64_t k = 0; k < count; ++k) numbers.push_back(k);
  return make_tensor(type, std::move(shape), numbers);
}

Graph graph_of(const NodeTest& test) {
  Graph graph;
  graph.name = "test";
  graph.ir_version = 10;
  Node node;
  node.op = test.op;
  node.version = test.version;
  node.domain = test.domain;
  node.attributes = test.attributes;
  for (const Argument& argument : test.inputs) {
    if (!argument.tensor) {
      node.inputs.push_back(kAbsent);
      continue;
    }
    const HostTensor& tensor = *argument.tensor;
    const auto id = static_cast<GraphValueId>(graph.values.size());
    GraphValue value;
    value.name = "x" + std::to_string(id);
    value.type = tensor.type;
    value.shape = std::vector<Dim>(tensor.shape.begin(), tensor.shape.end());
    if (argument.constant) {
      value.constant = Tensor{tensor.type, tensor.shape, to_constant(tensor), {}};
    } else {
      graph.block.inputs.push_back(id);
    }
    for (Dim& dim : *value.shape) {
      if (!argument.symbolic) break;
      SymbolInfo symbol;
      symbol.name = "n" + std::to_string(graph.symbols.size());
      symbol.origin = SymbolOrigin::param;
      symbol.min = 1;
      symbol.max = 1000;
      graph.symbols.push_back(std::make_shared<const SymbolInfo>(std::move(symbol)));
      dim = Index::symbol(graph.symbols.back());
    }
    graph.values.push_back(std::move(value));
    node.inputs.push_back(id);
  }
  for (int k = 0; k < test.outputs; ++k) {
    const auto id = static_cast<GraphValueId>(graph.values.size());
    graph.values.push_back({});
    graph.values.back().name = "y" + std::to_string(k);
    node.outputs.push_back(id);
    graph.block.outputs.push_back(id);
  }
  graph.block.nodes.push_back(std::move(node));
  return graph;
}

std::vector<HostTensor> run(const NodeTest& test) {
  const KernelGraph graph = lower(graph_of(test), {}).graph;
  std::vector<HostTensor> inputs;
  std::vector<std::vector<int64_t>> shapes;
  for (const Argument& argument : test.inputs) {
    if (!argument.tensor || argument.constant) continue;
    inputs.push_back(*argument.tensor);
    shapes.push_back(argument.tensor->shape);
  }
  RunResult result = interpret(graph, inputs, bind_symbols(graph, shapes));
  if (result.status != kRunOk) throw std::runtime_error(result.message);
  return std::move(result.outputs);
}

std::string refusal(const NodeTest& test) {
  try {
    lower(graph_of(test), {});
  } catch (const Refused& refused) {
    return refused.diagnostics.front().rule;
  }
  return {};
}

std::vector<double> numbers_of(const HostTensor& tensor) {
  std::vector<double> out;
  for (int64_t k = 0; k < tensor.elements(); ++k) {
    const ScalarValue value = tensor.get(k);
    out.push_back(is_float(tensor.type) ? value.number : static_cast<double>(value.integer));
  }
  return out;
}

}  // namespace burin

// Short ways to write kernels and graphs by hand in tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel/interpreter/interpreter.h"
#include "kernel/kernel.h"
#include "kernel/tensor.h"

namespace burin {

inline Symbol make_symbol(std::string name, int64_t min = 0, int64_t max = kUnbounded,
                          SymbolOrigin origin = SymbolOrigin::param) {
  return std::make_shared<const SymbolInfo>(SymbolInfo{std::move(name), origin, min, max, 0});
}

inline Index axis_of(Kernel& kernel, const Dim& extent, AxisKind kind = AxisKind::parallel) {
  kernel.axes.push_back({extent, kind, ""});
  return Index::axis(static_cast<int>(kernel.axes.size()) - 1, extent);
}

struct GraphMaker {
  KernelGraph graph;

  ValueId value(std::string name, Type type, std::vector<Dim> shape, ValueKind kind) {
    graph.values.push_back({std::move(name), type, std::move(shape), kind, {}});
    const auto id = static_cast<ValueId>(graph.values.size()) - 1;
    if (kind == ValueKind::input) graph.inputs.push_back(id);
    if (kind == ValueKind::output) graph.outputs.push_back(id);
    return id;
  }
  ValueId input(std::string name, Type type, std::vector<Dim> shape) {
    return value(std::move(name), type, std::move(shape), ValueKind::input);
  }
  ValueId output(std::string name, Type type, std::vector<Dim> shape) {
    return value(std::move(name), type, std::move(shape), ValueKind::output);
  }
  ValueId internal(std::string name, Type type, std::vector<Dim> shape) {
    return value(std::move(name), type, std::move(shape), ValueKind::internal);
  }
  ValueId constant(std::string name, const HostTensor& tensor) {
    const ValueId id = value(std::move(name), tensor.type,
                             {tensor.shape.begin(), tensor.shape.end()}, ValueKind::constant);
    graph.values.back().constant = to_constant(tensor);
    return id;
  }
  Expr load(ValueId id, std::vector<Index> at) const {
    return Expr::load(id, graph.values[static_cast<size_t>(id)].type, std::move(at));
  }

  RunResult run(const std::vector<HostTensor>& inputs, const InterpretOptions& options = {}) const {
    std::vector<std::vector<int64_t>> shapes;
    for (const HostTensor& input : inputs) shapes.push_back(input.shape);
    return interpret(graph, inputs, bind_symbols(graph, shapes), options);
  }
};

inline HostTensor floats(std::vector<int64_t> shape, const std::vector<double>& numbers) {
  return make_tensor(Type::f32, std::move(shape), numbers);
}

inline HostTensor integers(std::vector<int64_t> shape, const std::vector<int64_t>& numbers,
                           Type type = Type::i64) {
  return make_tensor(type, std::move(shape), numbers);
}

inline std::vector<double> numbers_of(const HostTensor& tensor) {
  std::vector<double> out;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const ScalarValue value = tensor.get(i);
    out.push_back(is_float(tensor.type) ? value.number : static_cast<double>(value.integer));
  }
  return out;
}

}  // namespace burin

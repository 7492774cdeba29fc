// Small kernel graphs for tests of passes: values and kernels made by hand, and the interpreter to
// compare with.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernel/interpreter/interpreter.h"
#include "ops/api/core/op_context.h"

namespace burin {

// A size of the caller.
inline Dim sized(const std::string& name, int64_t lo = 1, int64_t hi = kUnbounded,
                 int64_t hint = 0) {
  return Index::symbol(
      std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::param, lo, hi, hint}));
}

class GraphFixture {
 public:
  Operand input(const std::string& name, Shape shape, Type type = Type::f32) {
    return add(name, type, std::move(shape), ValueKind::input);
  }
  Operand output(const std::string& name, Shape shape, Type type = Type::f32) {
    return add(name, type, std::move(shape), ValueKind::output);
  }
  Operand value(const std::string& name, Shape shape, Type type = Type::f32) {
    return add(name, type, std::move(shape), ValueKind::internal);
  }

  // A constant whose elements count up from `first` in steps of 1/8.
  Operand constant(const std::string& name, const std::vector<int64_t>& shape, double first = 0) {
    Operand operand = add(name, Type::f32, Shape(shape.begin(), shape.end()), ValueKind::constant);
    HostTensor tensor = make_tensor(Type::f32, shape);
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, {first + static_cast<double>(i % 23) / 8, 0});
    graph.values[static_cast<size_t>(operand.value())].constant = to_constant(tensor);
    return operand;
  }

  void kernel(const std::string& name, KernelBuilder& builder) {
    graph.steps.push_back(named(name, builder));
  }

  static Kernel named(const std::string& name, KernelBuilder& builder) {
    Kernel kernel = builder.take();
    kernel.name = name;
    kernel.origins = {{name, name}};
    return kernel;
  }

  // y[at] = f(at) for every point of y.
  template <class F>
  void map(const std::string& name, const Operand& y, const F& f) {
    KernelBuilder builder;
    const Indices at = builder.axes(y.shape());
    builder.write(y, at, f(at));
    kernel(name, builder);
  }

  KernelGraph graph;

 private:
  Operand add(const std::string& name, Type type, Shape shape, ValueKind kind) {
    Value value;
    value.name = name;
    value.type = type;
    value.shape = shape;
    value.kind = kind;
    graph.values.push_back(std::move(value));
    const auto id = static_cast<ValueId>(graph.values.size()) - 1;
    if (kind == ValueKind::input) graph.inputs.push_back(id);
    if (kind == ValueKind::output) graph.outputs.push_back(id);
    return Operand(id, type, std::move(shape));
  }
};

// y[m, n] = sum over k of x[m, k] * w[k, n]
inline void matmul(GraphFixture& g, const std::string& name, const Operand& x, const Operand& w,
                   const Operand& y) {
  KernelBuilder kernel;
  const Index m = kernel.axis(y.dim(0)), n = kernel.axis(y.dim(1)),
              k = kernel.reduce_axis(x.dim(1));
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, x.at({m, k}) * w.at({k, n})));
  g.kernel(name, kernel);
}

// y[m, n] = sum over k of x[m, k] * w[k, n] + b[n]
inline Operand linear(GraphFixture& g, const std::string& name, const Operand& x, const Operand& w,
                      const Operand& b, const Operand& y) {
  const Operand product = g.value(name + "_product", y.shape());
  KernelBuilder kernel;
  const Index m = kernel.axis(y.dim(0)), n = kernel.axis(y.dim(1)),
              k = kernel.reduce_axis(x.dim(1));
  kernel.write(product, {m, n}, kernel.reduce(Combiner::sum, {k}, x.at({m, k}) * w.at({k, n})));
  g.kernel(name, kernel);
  g.map(name + "_bias", y, [&](const Indices& at) { return product.at(at) + b.at({at[1]}); });
  return y;
}

// Inputs of the graph's shapes at `symbols`, with small numbers that differ from each other.
inline std::vector<HostTensor> sample_inputs(const KernelGraph& graph,
                                             const std::map<std::string, int64_t>& symbols) {
  std::vector<HostTensor> out;
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) {
      shape.push_back(
          dim.evaluate([&](const Index& leaf) { return symbols.at(leaf.as_symbol()->name); }));
    }
    HostTensor tensor = make_tensor(value.type, shape);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const int64_t number = (i * 37 + id * 11) % 41 - 20;
      tensor.set(i, {static_cast<double>(number) / 4, number});
    }
    out.push_back(std::move(tensor));
  }
  return out;
}

// Both graphs compute the same, bit for bit.
inline void expect_same(const KernelGraph& a, const KernelGraph& b,
                        const std::map<std::string, int64_t>& symbols = {}) {
  const std::vector<HostTensor> inputs = sample_inputs(a, symbols);
  const RunResult x = interpret(a, inputs, symbols), y = interpret(b, inputs, symbols);
  ASSERT_EQ(x.status, kRunOk) << x.message;
  ASSERT_EQ(y.status, kRunOk) << y.message;
  ASSERT_EQ(x.outputs.size(), y.outputs.size());
  for (size_t i = 0; i < x.outputs.size(); ++i)
    EXPECT_EQ(x.outputs[i], y.outputs[i]) << "output " << i;
}

inline int count_kernels(const KernelGraph& graph) {
  int count = 0;
  for_each_kernel(graph.steps, [&](const Kernel&) { ++count; });
  return count;
}

}  // namespace burin

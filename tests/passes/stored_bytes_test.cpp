// Floats that are made of bytes: the bytes are stored, readers give what they gave, bit by bit.
#include "fuse/constants/stored_bytes.h"

#include <limits>

#include "graph_fixture.h"
#include "support/numbers.h"

namespace burin::stored_bytes_test {
namespace {

constexpr int64_t kRows = 4, kColumns = 9, kDepth = 3;

Expr real(double x) { return Expr::constant(Type::f32, x); }
Expr dequantised(const Expr& byte, int64_t zero, double by) {
  return Expr::cast(Type::f32, Expr::cast(Type::i32, byte) - Expr::constant(Type::i32, zero)) *
         real(by);
}
Expr quantised(const Expr& value, double by) {
  return Expr::cast(Type::u8, Expr::unary(Unary::round, value / real(by)) + real(7),
                    CastMode::saturate);
}

// A sum of products is quantised, dequantised, and added to another byte; that float is quantised
// and, as it is, added to a third.
struct Residuals {
  explicit Residuals(ValueKind kind = ValueKind::internal) {
    const Shape shape{kRows, kColumns};
    const Operand a = g.input("a", {kRows, kDepth}, Type::u8),
                  b = g.input("b", {kDepth, kColumns}, Type::u8), x = g.input("x", shape, Type::u8),
                  z = g.input("z", shape, Type::i8);
    const Operand sum = kind == ValueKind::output ? g.output("sum", shape) : g.value("sum", shape);
    made = sum.value();
    KernelBuilder builder;
    const Index i = builder.axis(kRows), j = builder.axis(kColumns),
                k = builder.reduce_axis(kDepth);
    const Expr total =
        builder.reduce(Combiner::sum, {k},
                       Expr::cast(Type::i32, a.at({i, k})) * Expr::cast(Type::i32, b.at({k, j})));
    const Expr byte = quantised(Expr::cast(Type::f32, total) * real(0.01), 3.1);
    builder.write(sum, {i, j},
                  max(dequantised(byte, 7, 3.1) + dequantised(x.at({i, j}), 11, 0.7), real(0)));
    g.kernel("product", builder);
    g.map("quantise", g.output("q", shape, Type::u8),
          [&](const Indices& at) { return quantised(sum.at(at), 5.3); });
    g.map("add", g.output("y", {kColumns, kRows}), [&](const Indices& at) {
      return sum.at({at[1], at[0]}) + dequantised(z.at({at[1], at[0]}), -3, 0.31);
    });
  }
  std::vector<HostTensor> results(const KernelGraph& graph) const {
    Numbers numbers(5);
    Environment environment;
    for (const ValueId id : graph.inputs) {
      const Value& value = graph.values[static_cast<size_t>(id)];
      std::vector<int64_t> shape;
      for (const Dim& dim : value.shape) shape.push_back(dim.constant());
      HostTensor tensor = make_tensor(value.type, shape);
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.set(i, {0, lowest(value.type) + static_cast<int64_t>(numbers.below(256))});
      environment.tensors[id] = std::move(tensor);
    }
    EXPECT_EQ(execute_steps(graph.steps, graph.values, environment).status, kRunOk);
    std::vector<HostTensor> out;
    for (const ValueId id : graph.outputs) out.push_back(environment.tensor(graph.values, id));
    return out;
  }
  GraphFixture g;
  ValueId made = kNoValue;
};

Type type_of(const KernelGraph& graph, ValueId value) {
  return graph.values[static_cast<size_t>(value)].type;
}

TEST(StoredBytes, ReadersMakeTheFloats) {
  const Residuals model;
  const KernelGraph after = with_stored_bytes(model.g.graph);
  EXPECT_EQ(type_of(after, model.made), Type::u8);
  check_kernel_graph(after);
  EXPECT_EQ(model.results(after), model.results(model.g.graph));
}

TEST(StoredBytes, WhatOthersSeeStays) {
  const Residuals model(ValueKind::output);
  EXPECT_EQ(type_of(with_stored_bytes(model.g.graph), model.made), Type::f32);
}

// A reader that looks at each element more than once would make it again each time.
TEST(StoredBytes, WhatIsReadOftenStays) {
  for (const int64_t times : {1, 5}) {
    GraphFixture g;
    const Operand x = g.input("x", {kColumns}, Type::u8), v = g.value("v", {kColumns});
    g.map("widen", v, [&](const Indices& at) { return dequantised(x.at(at), 3, 0.1); });
    KernelBuilder builder;
    const Index i = builder.axis(times), k = builder.reduce_axis(kColumns);
    const Expr scaled = v.at({k}) * Expr::cast(Type::f32, Expr::index(i + 1));
    builder.write(g.output("y", {times}), {i}, builder.reduce(Combiner::sum, {k}, scaled));
    g.kernel("sum", builder);
    EXPECT_EQ(with_stored_bytes(g.graph).steps.size(), times == 1 ? 1u : 2u);
  }
}

// The greatest or least of dequantised bytes of a row of 9, over windows of 3 with margins, each
// column of 4 with a factor of its own.
struct Pool {
  double scale = 0.1;
  bool greatest = true;
  int64_t before = 1;
  bool own_factors = false;
};
struct Pooled {
  explicit Pooled(const Pool& pool) {
    const int64_t results = kColumns + 2 * pool.before - 2;
    const Operand a = g.input("a", {kRows, kDepth}, Type::u8),
                  b = g.input("b", {kDepth, kColumns}, Type::u8),
                  sum = g.value("sum", {kRows, kColumns}),
                  factors = g.constant("factors", {kRows}, 0.25);
    made = sum.value();
    KernelBuilder product;
    const Index i = product.axis(kRows), j = product.axis(kColumns),
                k = product.reduce_axis(kDepth);
    const Expr total =
        product.reduce(Combiner::sum, {k},
                       Expr::cast(Type::i32, a.at({i, k})) * Expr::cast(Type::i32, b.at({k, j})));
    Expr value =
        dequantised(quantised(Expr::cast(Type::f32, total) * real(0.01), 3.1), 7, pool.scale);
    if (pool.own_factors) value = value * factors.at({i});
    product.write(sum, {i, j}, value);
    g.kernel("product", product);
    KernelBuilder kernel;
    const Index row = kernel.axis(kRows), at = kernel.axis(results), tap = kernel.reduce_axis(3);
    const Index column = at + tap - pool.before;
    const double end = std::numeric_limits<double>::infinity();
    const Expr term = Expr::cases({{{{column, 0, kColumns}}, sum.at({row, column})}},
                                  real(pool.greatest ? -end : end));
    const Expr best = kernel.reduce(pool.greatest ? Combiner::max : Combiner::min, {tap}, term);
    kernel.write(g.output("y", {kRows, results}), {row, at}, best + real(0.5));
    g.kernel("pool", kernel);
  }
  HostTensor result(const KernelGraph& graph) const {
    Numbers numbers(5);
    Environment environment;
    for (const ValueId id : graph.inputs) {
      std::vector<int64_t> shape;
      for (const Dim& dim : graph.values[static_cast<size_t>(id)].shape)
        shape.push_back(dim.constant());
      HostTensor tensor = make_tensor(Type::u8, shape);
      for (int64_t n = 0; n < tensor.elements(); ++n)
        tensor.set(n, {0, static_cast<int64_t>(numbers.below(256))});
      environment.tensors[id] = std::move(tensor);
    }
    EXPECT_EQ(execute_steps(graph.steps, graph.values, environment).status, kRunOk);
    return environment.tensor(graph.values, graph.outputs[0]);
  }
  GraphFixture g;
  ValueId made = kNoValue;
};

TEST(StoredBytes, PoolsTakeTheGreatestByte) {
  for (const Pool& pool : {Pool{}, Pool{0.1, false}, Pool{-0.1}, Pool{-0.1, false, 2},
                           Pool{0.3, true, 0}, Pool{0.1, true, 2, true}}) {
    for (const bool of_products : {true, false}) {
      const Pooled model(pool);
      const KernelGraph after = with_stored_bytes(model.g.graph, of_products);
      check_kernel_graph(after);
      EXPECT_EQ(model.result(after), model.result(model.g.graph)) << pool.scale << pool.greatest;
      // What has a factor of its own for each row is as monotone.
      EXPECT_EQ(type_of(after, model.made), Type::u8) << pool.scale;
      const Let& let = std::get<Kernel>(after.steps[1]).lets[0];
      EXPECT_EQ(let.accumulator[0], Type::u8);
      EXPECT_EQ(let.op, pool.greatest == (pool.scale > 0) ? Combiner::max : Combiner::min);
    }
  }
}

// A window may lie beside the row: there is no byte then, and no element.
TEST(StoredBytes, PoolsOfNothingStayFloats) {
  const Pooled model({0.1, true, 3});
  const KernelGraph after = with_stored_bytes(model.g.graph, true);
  EXPECT_EQ(type_of(after, model.made), Type::f32);
  EXPECT_EQ(model.result(after), model.result(model.g.graph));
}

}  // namespace
}  // namespace burin::stored_bytes_test

// Floats that are made of bytes: the bytes are stored, readers give what they gave, bit by bit.
#include "fuse/constants/stored_bytes.h"

#include <limits>

#include "fuse/constants/byte_extremes.h"
#include "fuse/constants/output_bytes.h"
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

// Where floats have vectors, too: a product stores the byte that it makes, a map does not.
TEST(StoredBytes, OfProductsAlone) {
  for (const bool product : {true, false}) {
    GraphFixture g;
    const Operand x = g.input("x", {kRows, kDepth}, Type::u8), made = g.value("made", {kRows});
    KernelBuilder builder;
    const Index i = builder.axis(kRows);
    Expr number = Expr::cast(Type::f32, x.at({i, Index(0)}));
    if (product) {
      const Index k = builder.reduce_axis(kDepth);
      number = Expr::cast(Type::f32,
                          builder.reduce(Combiner::sum, {k}, Expr::cast(Type::i32, x.at({i, k}))));
    }
    builder.write(made, {i}, dequantised(quantised(number * real(0.37), 1.5), 7, 1.5));
    g.kernel("made", builder);
    g.map("add", g.output("y", {kRows}),
          [&](const Indices& at) { return made.at(at) + real(0.25); });
    const KernelGraph after = with_stored_bytes(g.graph, true);
    EXPECT_EQ(type_of(after, made.value()), product ? Type::u8 : Type::f32);
    check_kernel_graph(after);
    Residuals model;
    model.g = g;
    EXPECT_EQ(model.results(after), model.results(g.graph));
  }
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

// A float that is made of one byte may be written anywhere: heads of a product, for two readers.
TEST(StoredBytes, HeadsAreBytes) {
  GraphFixture g;
  const Operand x = g.input("x", {kRows, 6}, Type::u8), heads = g.value("heads", {kRows, 2, 3});
  KernelBuilder builder;
  const Index i = builder.axis(kRows), j = builder.axis(6), k = builder.reduce_axis(1);
  const Expr sum = builder.reduce(Combiner::sum, {k}, Expr::cast(Type::i32, x.at({i, j + k})));
  builder.write(heads, {i, floordiv(j, 3), mod(j, 3)},
                dequantised(quantised(Expr::cast(Type::f32, sum), 1.5), 7, 1.5));
  g.kernel("product", builder);
  for (const double add : {0.25, 4.5}) {
    g.map("add", g.output("y" + std::to_string(add), {2, kRows, 3}), [&](const Indices& at) {
      return heads.at({at[1], at[0], at[2]}) + real(add);
    });
  }
  Residuals model;
  model.g = g;
  const KernelGraph after = with_stored_bytes(g.graph);
  EXPECT_EQ(type_of(after, heads.value()), Type::u8);
  check_kernel_graph(after);
  EXPECT_EQ(model.results(after), model.results(g.graph));
}

// What the network gives as floats of a byte: the byte first, then the float; on the way to others
// nothing changes.
TEST(StoredBytes, OutputsAreMadeOfBytes) {
  const auto steps = [](double other) {
    GraphFixture g;
    const Operand x = g.input("x", {kRows, kDepth}, Type::u8), y = g.output("y", {2, kRows});
    const Operand w = g.constant("w", {2}, other);
    KernelBuilder builder;
    const Index i = builder.axis(kRows), j = builder.axis(2), k = builder.reduce_axis(kDepth);
    const Expr sum =
        builder.reduce(Combiner::sum, {k},
                       Expr::cast(Type::i32, x.at({i, k})) + Expr::cast(Type::i32, Expr::index(j)));
    const Expr byte = quantised(Expr::cast(Type::f32, sum), 2.25);
    const Expr number = dequantised(byte, 7, 2.25);
    builder.write(y, {j, i}, other != 0 ? number * w.at({j}) : number);
    g.kernel("sum", builder);
    const KernelGraph after = with_bytes_before_outputs(g.graph);
    check_kernel_graph(after);
    Residuals model;
    model.g = g;
    EXPECT_EQ(model.results(after), model.results(g.graph));
    return after.steps.size();
  };
  EXPECT_EQ(steps(0), 2u);
  EXPECT_EQ(steps(1), 1u);  // a number of each column behind it
}

// A pool that reads a float once and another reader: the greatest byte is found, where the float
// never falls with it, and where each result has a tap inside.
struct Pool {
  Pool(double by, int64_t before, Combiner op = Combiner::max, double square = 0) {
    const Operand x = g.input("x", {kColumns}, Type::u8), v = g.value("v", {kColumns});
    g.map("widen", v, [&](const Indices& at) {
      const Expr one = dequantised(x.at(at), 100, by);
      return one + one * one * real(square);
    });
    const int64_t taps = 3, results = (kColumns + 2 * before - taps) / 2 + 1;
    KernelBuilder builder;
    const Index i = builder.axis(results), k = builder.reduce_axis(taps);
    const Index at = i * 2 + k - before;
    const double none = op == Combiner::max ? -std::numeric_limits<double>::infinity()
                                            : std::numeric_limits<double>::infinity();
    const Expr tap = Expr::cases({{{{at, 0, kColumns}}, v.at({at})}}, real(none));
    builder.write(g.output("y", {results}, Type::u8), {i},
                  quantised(builder.reduce(op, {k}, tap), 0.7));
    g.kernel("pool", builder);
    g.map("copy", g.output("z", {kColumns}),
          [&](const Indices& point) { return v.at(point) + real(1); });
    stored = with_stored_bytes(g.graph);
    after = with_byte_extremes(stored);
    check_kernel_graph(after);
    Residuals model;
    model.g = g;
    EXPECT_EQ(model.results(after), model.results(g.graph));
  }
  const Let& let() const { return std::get<Kernel>(after.steps[0]).lets.at(0); }
  GraphFixture g;
  KernelGraph stored, after;
};

TEST(StoredBytes, PoolsFindBytes) {
  for (const int64_t before : {0, 1}) {
    for (const Combiner op : {Combiner::max, Combiner::min}) {
      const Pool rising(0.3, before, op), falling(-0.3, before, op);
      ASSERT_EQ(rising.after.steps.size(), 2u);
      EXPECT_EQ(rising.let().accumulator[0], Type::u8);
      EXPECT_EQ(rising.let().op, op);
      EXPECT_EQ(falling.let().accumulator[0], Type::u8);
      EXPECT_NE(falling.let().op, op);
    }
  }
}

TEST(StoredBytes, OtherPoolsStay) {
  // Neither rises nor falls with the byte.
  EXPECT_EQ(Pool(0.3, 1, Combiner::max, 1).let().accumulator[0], Type::f32);
  // A window may lie in the margin as a whole.
  EXPECT_EQ(Pool(0.3, 3).let().accumulator[0], Type::f32);
}

}  // namespace
}  // namespace burin::stored_bytes_test

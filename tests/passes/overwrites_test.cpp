// Assignments to slices: what fills a tensor and what then writes a part of it.
#include "fuse/movement/overwrites.h"

#include "fuse/fuse.h"
#include "fuse/movement/computed_indices.h"
#include "graph_fixture.h"
#include "ops/api/movement/movement.h"

namespace burin::overwrites_test {
namespace {

Symbol size() {
  return std::make_shared<const SymbolInfo>(
      SymbolInfo{"n", SymbolOrigin::param, 1, 4096, 0, nullptr});
}

// t = 2 * x of shape [n, 3]; t[place(i), column] = u[i] for every i below `count`; y = t + t.
struct Assigned {
  Dim n = Index::symbol(size());
  GraphFixture g;
  Operand x = g.input("x", {n, 3}), t = g.value("t", {n, 3}), y = g.output("y", {n, 3});
  Operand u;

  template <class F>
  Assigned(const Dim& count, int column, const F& place) : u(g.input("u", {count})) {
    g.graph.symbols = {size()};
    g.map("Mul", t, [&](const Indices& at) { return x.at(at) * x.constant(2); });
    KernelBuilder store;
    const Index i = store.axis(count, {}, AxisKind::sequential);
    store.write(t, {place(i), Index(column)}, u.at({i}));
    g.kernel("ScatterND", store);
  }

  void read() {
    g.map("Add", y, [&](const Indices& at) { return t.at(at) + t.at(at); });
  }
};

// A Range from 0 on, wrapped and clipped as an index of any tensor is.
Index ranged(const Index& i, const Dim& extent) { return data_index(Expr::index(i), extent); }

TEST(Overwrites, AComputedIndexIsPlain) {
  const Dim n = Index::symbol(size());
  const Index i = Index::axis(0, n);
  const std::vector<Value> values;
  EXPECT_EQ(as_index(Expr::index(i) * Expr::constant(Type::i64, 2) + Expr::index(n), values),
            2 * i + n);
  EXPECT_EQ(as_index(Expr(ranged(i, n).as_data()), values), i);
  EXPECT_EQ(as_index(Expr::cast(Type::i32, Expr::index(i)), values), i);
  // 4095 is no number of eight bits.
  EXPECT_EQ(as_index(Expr::cast(Type::i8, Expr::index(i)), values), std::nullopt);
  GraphFixture g;
  const Operand read = g.input("x", {n}, Type::i64);
  EXPECT_EQ(as_index(read.at({i}), g.graph.values), std::nullopt);
}

// A constant that counts evenly holds the places of a view; one that does not is read.
TEST(Overwrites, ATableThatCountsIsPlain) {
  GraphFixture g;
  const auto table = [&](const char* name, const std::vector<int64_t>& numbers) {
    HostTensor tensor = make_tensor(Type::i64, {2, 3});
    for (int64_t k = 0; k < 6; ++k) tensor.set(k, {0, numbers[static_cast<size_t>(k)]});
    const Operand out = g.value(name, {2, 3}, Type::i64);
    Value& value = g.graph.values[static_cast<size_t>(out.value())];
    value.kind = ValueKind::constant;
    value.constant = to_constant(tensor);
    return out;
  };
  const Index i = Index::axis(0, 2), j = Index::axis(1, 3);
  const auto held = [&](const Operand& operand) {
    return as_index(operand.at({i, j}), g.graph.values);
  };
  EXPECT_EQ(held(table("rows", {0, 1, 2, 3, 4, 5})), 3 * i + j);
  EXPECT_EQ(held(table("down", {7, 5, 3, 7, 5, 3})), 7 - 2 * j);
  EXPECT_EQ(held(table("last", {0, 1, 2, 3, 4, 6})), std::nullopt);
  EXPECT_EQ(held(table("large", {0, 1, 2, 3, 4, int64_t{1} << 62})), std::nullopt);
}

TEST(Overwrites, AnAssignmentToAColumnIsOneMap) {
  Assigned model(Index::symbol(size()), 1,
                 [](const Index& i) { return ranged(i, Index::symbol(size())); });
  model.read();
  const KernelGraph fused = fuse(model.g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
  check_kernel_graph(fused);
  for (const int64_t n : {1, 5}) expect_same(model.g.graph, fused, {{"n", n}});
  FuseOptions off;
  off.movement = false;
  EXPECT_GT(count_kernels(fuse(model.g.graph, off)), 1);
}

TEST(Overwrites, PartOfARowStaysAsItWas) {
  Assigned model(1, 2, [](const Index&) { return Index(0); });
  model.read();
  const KernelGraph fused = fuse(model.g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
  for (const int64_t n : {1, 5}) expect_same(model.g.graph, fused, {{"n", n}});
}

// Two points may meet at one place: the last one stays.
TEST(Overwrites, PlacesThatMeetAreLeft) {
  Assigned model(Index::symbol(size()), 0, [](const Index& i) { return floordiv(i, 2); });
  model.read();
  const KernelGraph fused = fuse(model.g.graph, {});
  EXPECT_GT(count_kernels(fused), 1);
  for (const int64_t n : {1, 5}) expect_same(model.g.graph, fused, {{"n", n}});
}

TEST(Overwrites, WhatIsReadInBetweenIsLeft) {
  const Dim n = Index::symbol(size());
  GraphFixture g;
  g.graph.symbols = {size()};
  const Operand x = g.input("x", {n}), t = g.value("t", {n}), y = g.output("y", {n}),
                z = g.output("z", {n});
  g.map("Mul", t, [&](const Indices& at) { return x.at(at) * x.constant(2); });
  g.map("Abs", z, [&](const Indices& at) { return Expr::unary(Unary::abs, t.at(at)); });
  KernelBuilder store;
  store.write(t, {Index(0)}, t.constant(7));
  g.kernel("ScatterND", store);
  g.map("Add", y, [&](const Indices& at) { return t.at(at) + t.at(at); });
  const KernelGraph fused = fuse(g.graph, {});
  for (const int64_t size : {1, 5}) expect_same(g.graph, fused, {{"n", size}});
}

// A concatenation by two kernels: the first one does not fill the tensor.
TEST(Overwrites, PartsAreNoAssignment) {
  GraphFixture g;
  const Operand x = g.input("x", {3}), u = g.input("u", {2}), t = g.value("t", {5}),
                y = g.output("y", {5});
  const auto part = [&](const Operand& from, int first) {
    KernelBuilder kernel;
    const Index i = kernel.axis(from.dim(0));
    kernel.write(t, {i + first}, from.at({i}) * from.constant(2));
    g.kernel("part" + std::to_string(first), kernel);
  };
  part(x, 0);
  part(u, 3);
  g.map("Add", y, [&](const Indices& at) { return t.at(at) + t.at(at); });
  expect_same(g.graph, fuse(g.graph, {}));
}

// What the assignment reads is made between the two kernels.
TEST(Overwrites, TheMapMovesToTheAssignment) {
  const Dim n = Index::symbol(size());
  GraphFixture g;
  g.graph.symbols = {size()};
  const Operand x = g.input("x", {n}), t = g.value("t", {n}), s = g.value("s", {}),
                y = g.output("y", {n});
  g.map("Mul", t, [&](const Indices& at) { return x.at(at) * x.constant(2); });
  KernelBuilder sum, store;
  const Index i = sum.reduce_axis(n);
  sum.write(s, {}, sum.reduce(Combiner::sum, {i}, x.at({i})));
  g.kernel("ReduceSum", sum);
  store.write(t, {n - 1}, s.at({}));
  g.kernel("ScatterND", store);
  g.map("Add", y, [&](const Indices& at) { return t.at(at) + t.at(at); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  for (const int64_t size : {1, 5}) expect_same(g.graph, fused, {{"n", size}});
}

}  // namespace
}  // namespace burin::overwrites_test

// Concatenations that vanish: parts of parts, parts of another rank, pieces that the reader tells
// apart, shifts behind windows.
#include "fuse/access/access.h"
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::concat_rewrites_test {
namespace {

int count_moves(const KernelGraph& graph) {
  int count = 0;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) { count += only_moves(kernel); });
  return count;
}

// Three products side by side along a new axis, two of them joined first.
TEST(Joins, PartsOfPartsAreWrittenInPlaceWhateverTheirRank) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), y = g.output("y", {4, 3, 6}),
                pair = g.value("pair", {4, 2, 6});
  std::vector<Operand> parts;
  for (int k = 0; k < 3; ++k) {
    const std::string name = "part" + std::to_string(k);
    parts.push_back(g.value(name, {4, 6}));
    matmul(g, "MatMul" + name, x, g.constant("w" + name, {5, 6}, k), parts.back());
  }
  g.map("Concat", pair, [&](const Indices& at) {
    return Expr::cases({{{{at[1], 0, 1}}, parts[0].at({at[0], at[2]})}},
                       parts[1].at({at[0], at[2]}));
  });
  g.map("Concat_1", y, [&](const Indices& at) {
    return Expr::cases({{{{at[1], 0, 2}}, pair.at(at)}}, parts[2].at({at[0], at[2]}));
  });
  FuseOptions apart;
  apart.siblings = false;
  const KernelGraph fused = fuse(g.graph, apart);
  EXPECT_EQ(count_kernels(fused), 3) << to_string(fused);
  EXPECT_EQ(count_moves(fused), 0);
  expect_same(g.graph, fused);
}

// Rows of 4 and rows of 2 as one list of 20 elements, as heads of detectors do.
TEST(Joins, PartsThatAreFlattenedAreWrittenInPlace) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), y = g.output("y", {20}), a = g.value("a", {4, 4}),
                b = g.value("b", {2, 2}), z = g.input("z", {2, 5});
  matmul(g, "MatMul", x, g.constant("w", {5, 4}), a);
  matmul(g, "MatMul_1", z, g.constant("v", {5, 2}), b);
  g.map("Concat", y, [&](const Indices& at) {
    const Index rest = at[0] - 16;
    return Expr::cases({{{{at[0], 0, 16}}, a.at({floordiv(at[0], 4), mod(at[0], 4)})}},
                       b.at({floordiv(rest, 2), mod(rest, 2)}));
  });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  expect_same(g.graph, fused);
}

// A token in front of rows that a product writes as columns, and positions added: the sum reads
// both.
TEST(Joins, WhatIsCopiedAfterAllIsReadWhereItComesFrom) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), z = g.output("z", {7, 4}), a = g.output("a", {4, 6}),
                y = g.value("y", {7, 4});
  matmul(g, "MatMul", x, g.constant("w", {5, 6}), a);
  const Operand token = g.constant("token", {4}, 1), positions = g.constant("positions", {7, 4}, 2);
  g.map("Concat", y, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 0, 1}}, token.at({at[1]})}}, a.at({at[1], at[0] - 1}));
  });
  g.map("Add", z, [&](const Indices& at) { return y.at(at) + positions.at(at); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  EXPECT_EQ(count_moves(fused), 0);
  expect_same(g.graph, fused);
}

// Two kernels write a tensor, as the directions of a recurrence do; what turns it comes after both.
TEST(Joins, WhatSeveralKernelsWroteIsReadLaterToo) {
  for (const bool between : {false, true}) {
    GraphFixture g;
    const Operand x = g.input("x", {4, 5}), both = g.value("both", {2, 4}),
                  turned = g.value("turned", {4, 2}), y = g.output("y", {4, 3});
    const auto row = [&](const std::string& name, int64_t at) {
      KernelBuilder kernel;
      const Index i = kernel.axis(4), k = kernel.reduce_axis(5);
      kernel.write(both, {at, i}, kernel.reduce(Combiner::max, {k}, x.at({i, k}) + double(at)));
      g.kernel(name, kernel);
    };
    const auto turn = [&] {
      g.map("Transpose", turned, [&](const Indices& at) { return both.at({at[1], at[0]}); });
    };
    row("first", 0);
    if (between) {
      row("second", 1);
      turn();
      row("third", 1);  // changes what has been read
    } else {
      row("second", 1);
      turn();
    }
    matmul(g, "MatMul", turned, g.constant("w", {2, 3}), y);
    if (between) {
      const Operand late = g.output("late", {2, 4});
      g.map("Neg", late, [&](const Indices& at) { return -both.at(at); });
    }
    const KernelGraph fused = fuse(g.graph, {});
    EXPECT_EQ(count_moves(fused), between ? 1 : 0) << to_string(fused);
    expect_same(g.graph, fused);
  }
}

// The value that a Pad puts around a tensor is a tensor of one element.
TEST(Joins, APaddingValueIsNoSecondTensor) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), padded = g.value("padded", {4, 7}),
                y = g.output("y", {4, 3}), value = g.constant("value", {1}, 2);
  g.map("Pad", padded, [&](const Indices& at) {
    return Expr::cases({{{{at[1], 1, 6}}, x.at({at[0], at[1] - 1})}}, value.at({0}));
  });
  matmul(g, "MatMul", padded, g.constant("w", {7, 3}), y);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(g.graph, fused);
}

// What overlaps, leaves gaps or is read twice is no concatenation of parts.
TEST(Joins, OtherChoicesAreCopied) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 5}), y = g.output("y", {6}), a = g.value("a", {6, 1}),
                b = g.value("b", {6, 1});
  matmul(g, "MatMul", x, g.constant("w", {5, 1}), a);
  matmul(g, "MatMul_1", x, g.constant("v", {5, 1}, 3), b);
  g.map("Where", y, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 0, 2}}, a.at({at[0], 0})}}, b.at({at[0], 0}));
  });
  FuseOptions apart;
  apart.siblings = apart.epilogue = false;
  const KernelGraph fused = fuse(g.graph, apart);
  EXPECT_EQ(count_kernels(fused), 3) << to_string(fused);
  expect_same(g.graph, fused);
}

// Stack, then ReduceSum over the new axis: an addition.
TEST(Joins, AReductionOverThePiecesIsWrittenOut) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 5}), z = g.input("z", {4, 5}), y = g.output("y", {4, 5}),
                stack = g.value("stack", {4, 5, 2});
  const Operand a = g.value("a", {4, 5}), b = g.value("b", {4, 5});
  g.map("Mul", a, [&](const Indices& at) { return x.at(at) * 3.0; });
  g.map("Exp", b, [&](const Indices& at) { return Expr::unary(Unary::exp, z.at(at)); });
  g.map("Concat", stack, [&](const Indices& at) {
    return Expr::cases({{{{at[2], 0, 1}}, a.at({at[0], at[1]})}}, b.at({at[0], at[1]}));
  });
  KernelBuilder kernel;
  const Index i = kernel.axis(4), j = kernel.axis(5), k = kernel.reduce_axis(2);
  kernel.write(y, {i, j}, kernel.reduce(Combiner::sum, {k}, stack.at({i, j, k})));
  g.kernel("ReduceSum", kernel);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(g.graph, fused);
}

// A product of windows of 2 x 2 in a 4 x 6 image, put back, shifted in both directions, added.
TEST(Joins, AShiftBehindWindowsIsAnEpilogue) {
  GraphFixture g;
  const Operand x = g.input("x", {24, 5}), image = g.input("image", {4, 6, 3}),
                y = g.output("y", {4, 6, 3}), p = g.value("p", {24, 3}),
                back = g.value("back", {4, 6, 3}), rows = g.value("rows", {4, 6, 3}),
                columns = g.value("columns", {4, 6, 3});
  std::vector<Operand> slices;
  for (const char* name : {"s0", "s1"})
    slices.push_back(g.value(name, {name[1] == '0' ? 3 : 1, 6, 3}));
  matmul(g, "MatMul", x, g.constant("w", {5, 3}), p);
  g.map("Transpose", back, [&](const Indices& at) {
    return p.at(
        {floordiv(at[0], 2) * 12 + floordiv(at[1], 2) * 4 + mod(at[0], 2) * 2 + mod(at[1], 2),
         at[2]});
  });
  g.map("Slice", slices[0], [&](const Indices& at) { return back.at({at[0] + 1, at[1], at[2]}); });
  g.map("Slice_1", slices[1], [&](const Indices& at) { return back.at(at); });
  g.map("Concat", rows, [&](const Indices& at) {
    return Expr::cases({{{{at[0], 0, 3}}, slices[0].at(at)}},
                       slices[1].at({at[0] - 3, at[1], at[2]}));
  });
  g.map("Roll", columns, [&](const Indices& at) {
    return rows.at({at[0], mod(at[1] + 5, 6), at[2]});
  });
  g.map("Add", y, [&](const Indices& at) { return image.at(at) + columns.at(at); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(g.graph, fused);
}

}  // namespace
}  // namespace burin::concat_rewrites_test

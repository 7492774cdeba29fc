// What follows a concatenation of computed parts: who makes a part does it, or nobody does.
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::push_through_concat_test {
namespace {

// y = f(concat(a, b)) of two products of x, of `rows` rows.
struct Join {
  GraphFixture g;
  Operand x, a, b, whole;
  explicit Join(const Dim& rows = 9)
      : x(g.input("x", {rows, 6})),
        a(g.value("a", {rows, 8})),
        b(g.value("b", {rows, 4})),
        whole(g.value("whole", {rows, 12})) {
    if (!rows.is_constant()) g.graph.symbols = {rows.as_symbol()};
    matmul(g, "A", x, g.constant("w_a", {6, 8}, 1), a);
    matmul(g, "B", x, g.constant("w_b", {6, 4}, -1), b);
    g.map("Concat", whole, [&](const Indices& at) {
      return Expr::cases({{{{at[1], 0, 8}}, a.at(at)}}, b.at({at[0], at[1] - 8}));
    });
  }

  Expr normal(const Expr& value, const Index& column) {
    const Operand gain = g.constant("gain", {12}, 2), shift = g.constant("shift", {12}, -3);
    return max(value * gain.at({column}) + shift.at({column}), Expr::constant(Type::f32, 0));
  }

  Operand result(Type type = Type::f32) { return g.output("y", {whole.dim(0), 12}, type); }

  void expect_kernels(int count, const std::map<std::string, int64_t>& symbols = {}) {
    FuseOptions options;
    options.siblings = false;
    options.fold_scales = false;  // which would round otherwise
    const KernelGraph fused = fuse(g.graph, options);
    EXPECT_EQ(count_kernels(fused), count) << to_string(fused);
    expect_same(g.graph, fused, symbols);
    options.concat_in_place = false;
    EXPECT_GT(count_kernels(fuse(g.graph, options)), 2);
  }
};

TEST(PushThroughConcat, WhoMakesAPartDoesItToThePart) {
  Join join;
  join.g.map("Normal", join.result(),
             [&](const Indices& at) { return join.normal(join.whole.at(at), at[1]); });
  join.expect_kernels(2);
}

TEST(PushThroughConcat, RowsOfTheCaller) {
  Join join(sized("rows", 1, 100));
  join.g.map("Normal", join.result(),
             [&](const Indices& at) { return join.normal(join.whole.at(at), at[1]); });
  join.expect_kernels(2, {{"rows", 5}});
}

TEST(PushThroughConcat, OfAnotherTypeAndOrder) {
  Join join;
  const Operand y = join.g.output("y", {12, 9}, Type::i32);
  join.g.map("Turn", y, [&](const Indices& at) {
    return Expr::cast(Type::i32, join.normal(join.whole.at({at[1], at[0]}), at[0]));
  });
  join.expect_kernels(2);
}

TEST(PushThroughConcat, WhatElseIsReadOfTheRunStaysBehind) {
  Join join;
  const Operand more = join.g.value("more", {9, 12});
  matmul(join.g, "More", join.x, join.g.constant("w", {6, 12}, 3), more);
  join.g.map("Add", join.result(), [&](const Indices& at) {
    return join.whole.at(at) + max(more.at(at), more.at({8 - at[0], at[1]}));
  });
  join.expect_kernels(4);
}

TEST(PushThroughConcat, OtherReadersSeeWhatTheyDid) {
  for (const bool of_part : {true, false}) {
    Join join;
    join.g.map("Normal", join.result(),
               [&](const Indices& at) { return join.normal(join.whole.at(at), at[1]); });
    const Operand& read = of_part ? join.a : join.whole;
    const Operand sum = join.g.output("sum", {9});
    KernelBuilder kernel;
    const Index i = kernel.axis(9), j = kernel.reduce_axis(read.dim(1));
    kernel.write(sum, {i}, kernel.reduce(Combiner::sum, {j}, read.at({i, j})));
    join.g.kernel("ReduceSum", kernel);
    join.expect_kernels(of_part ? 5 : 4);  // a part that others read is copied
  }
}

// Concatenations in concatenations: the outer one takes in the inner one, or what is behind that.
TEST(PushThroughConcat, PartsOfParts) {
  for (const bool between : {true, false}) {
    Join join;
    const Operand inner = between ? join.g.value("inner", {9, 12}) : join.whole;
    if (between) {
      join.g.map("Normal", inner,
                 [&](const Indices& at) { return join.normal(join.whole.at(at), at[1]); });
    }
    const Operand c = join.g.value("c", {9, 2}), outer = join.g.value("outer", {9, 14});
    matmul(join.g, "C", join.x, join.g.constant("w_c", {6, 2}, 4), c);
    join.g.map("Outer", outer, [&](const Indices& at) {
      return Expr::cases({{{{at[1], 0, 12}}, inner.at(at)}}, c.at({at[0], at[1] - 12}));
    });
    const Operand y = join.g.output("y", {9, 14});
    join.g.map("Behind", y, [&](const Indices& at) {
      return Expr::unary(Unary::tanh, outer.at(at) * 0.25) * outer.at(at);
    });
    join.expect_kernels(between ? 3 : 4);
  }
}

}  // namespace
}  // namespace burin::push_through_concat_test

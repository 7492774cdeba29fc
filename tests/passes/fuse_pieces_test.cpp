// Pieces of one tensor become one access, and factors take in what is computed on the way to them.
#include "fuse/access/access.h"
#include "fuse/access/recomputation.h"
#include "fuse/fuse.h"
#include "fuse/movement/piece_index.h"
#include "graph_fixture.h"

namespace burin::fuse_pieces_test {
namespace {

// Parts of `axis` side by side: each is `read` at the point within it.
struct Part {
  Dim size;
  std::function<Expr(const Indices&)> read;
};
Expr joined(const std::vector<Part>& parts, const Indices& at, size_t axis) {
  std::vector<Expr::Case> cases;
  Index begin = 0;
  Expr last;
  for (size_t k = 0; k < parts.size(); ++k) {
    Indices inner = at;
    inner[axis] = at[axis] - begin;
    const Expr value = parts[k].read(inner);
    if (k + 1 == parts.size()) {
      last = value;
    } else {
      cases.push_back({{{at[axis], begin, begin + parts[k].size}}, value});
    }
    begin += parts[k].size;
  }
  return Expr::cases(std::move(cases), last);
}

TEST(Pieces, ACyclicShiftIsARemainder) {
  GraphFixture g;
  const Operand x = g.input("x", {5, 12}), y = g.output("y", {5, 12}), m = g.value("m", {5, 12});
  const auto from = [&](int64_t begin) {
    return [&x, begin](const Indices& at) { return x.at({at[0], at[1] + begin}); };
  };
  g.map("Roll", m, [&](const Indices& at) { return joined({{9, from(3)}, {3, from(0)}}, at, 1); });
  g.map("Relu", y, [&](const Indices& at) { return max(m.at(at), x.zero()); });
  const auto access = one_access(std::get<Kernel>(g.graph.steps[0]), g.graph.values);
  ASSERT_TRUE(access.has_value());
  EXPECT_EQ(to_string(*access), "v0[i0, ((i1 + 3) % 12)]");
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1);
  expect_same(g.graph, fused);
}

TEST(Pieces, StridedSlicesSideBySideAreDigits) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 8, 5}), y = g.output("y", {3, 4, 20}),
                m = g.value("m", {3, 4, 20});
  std::vector<Part> parts;
  for (int64_t q = 0; q < 4; ++q) {
    parts.push_back({5, [&x, q](const Indices& at) {
                       return x.at({at[0] * 2 + q % 2, at[1] * 2 + q / 2, at[2]});
                     }});
  }
  g.map("Merge", m, [&](const Indices& at) { return joined(parts, at, 2); });
  g.map("Relu", y, [&](const Indices& at) { return max(m.at(at), x.zero()); });
  EXPECT_TRUE(one_access(std::get<Kernel>(g.graph.steps[0]), g.graph.values).has_value());
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1);
  expect_same(g.graph, fused);
}

TEST(Pieces, OtherPiecesStayPieces) {
  GraphFixture g;
  const Operand x = g.input("x", {12}), other = g.input("other", {12}), y = g.output("y", {12});
  const auto from = [](const Operand& of, int64_t begin) {
    return [&of, begin](const Indices& at) { return of.at({at[0] + begin}); };
  };
  // Not a whole turn; two tensors; a part twice.
  const std::vector<std::vector<Part>> all = {
      {{9, from(x, 2)}, {3, from(x, 0)}},
      {{9, from(x, 3)}, {3, from(other, 0)}},
      {{6, from(x, 0)}, {6, from(x, 0)}},
  };
  for (const std::vector<Part>& parts : all) {
    g.graph.steps.clear();
    g.map("Concat", y, [&](const Indices& at) { return joined(parts, at, 0); });
    const auto access = one_access(std::get<Kernel>(g.graph.steps[0]), g.graph.values);
    if (!access) continue;
    // The last one is i mod 6, which is right.
    KernelGraph after = g.graph;
    std::get<Kernel>(after.steps[0]).writes[0].value = *access;
    expect_same(g.graph, after);
    EXPECT_EQ(&parts, &all[2]);
  }
}

// A weighted sum, as a sum over a concatenation that is quantised: what makes the pieces joins the
// sum, element by element.
TEST(Pieces, ASumOfFewQuantisedPiecesIsOneMap) {
  const auto quantised = [](const Expr& x, double by) {
    const Expr byte =
        Expr::cast(Type::u8, Expr::unary(Unary::round, x / by) + 117.0, CastMode::saturate);
    return Expr::cast(Type::f32, Expr::cast(Type::i32, byte) - Expr::constant(Type::i32, 117)) * by;
  };
  for (const int64_t pieces : {2, 4, 5}) {
    GraphFixture g;
    std::vector<Part> parts;
    for (int64_t k = 0; k < pieces; ++k) {
      const Operand x = g.input("x" + std::to_string(k), {6, 8}, Type::u8),
                    weighted = g.value("w" + std::to_string(k), {6, 8});
      g.map("Weigh", weighted, [&](const Indices& at) {
        return quantised(Expr::cast(Type::f32, x.at(at)) * (0.25 + 0.125 * static_cast<double>(k)),
                         0.5);
      });
      parts.push_back({1, [weighted](const Indices& at) { return weighted.at({at[0], at[1]}); }});
    }
    const Operand all = g.value("all", {6, 8, pieces}), bytes = g.value("bytes", {6, 8, pieces}),
                  y = g.output("y", {6, 8});
    g.map("Concat", all, [&](const Indices& at) { return joined(parts, at, 2); });
    g.map("Quantise", bytes, [&](const Indices& at) { return quantised(all.at(at), 0.75); });
    KernelBuilder builder;
    const Index i = builder.axis(6), j = builder.axis(8), k = builder.reduce_axis(pieces);
    const Expr sum = builder.reduce(Combiner::sum, {k}, bytes.at({i, j, k}));
    builder.write(y, {i, j}, quantised(sum, 1.5));
    g.kernel("ReduceSum", builder);
    FuseOptions options;
    options.integer_products = true;
    const KernelGraph fused = fuse(g.graph, options);
    EXPECT_EQ(count_kernels(fused) == 1, pieces <= 4) << to_string(fused);
    expect_same(g.graph, fused);
  }
}

TEST(Factors, WorkOnTheWayToAProductIsDoneWhileItIsPacked) {
  GraphFixture g;
  const Operand x = g.input("x", {40, 30}), gate = g.input("gate", {30}),
                y = g.output("y", {20, 40}), other = g.output("other", {40, 30});
  const Operand w = g.constant("w", {20, 30}), gated = g.value("gated", {40, 30});
  g.map("Tanh", other, [&](const Indices& at) { return Expr::unary(Unary::tanh, x.at(at)); });
  g.map("Mul", gated, [&](const Indices& at) {
    return Expr::unary(Unary::exp, x.at(at)) * gate.at({at[1]}) * gate.at({at[1]}) + 1.0;
  });
  KernelBuilder kernel;
  const Index m = kernel.axis(20), n = kernel.axis(40), k = kernel.reduce_axis(30);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, w.at({m, k}) * gated.at({n, k})));
  g.kernel("MatMul", kernel);
  EXPECT_EQ(uses_in_factor(std::get<Kernel>(g.graph.steps[2]), gated.value(), g.graph.values), 1);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2);
  expect_same(g.graph, fused);
}

TEST(Factors, AWindowUsesEachElementOften) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 18}), y = g.output("y", {6, 16}),
                w = g.constant("w", {6, 4, 3});
  KernelBuilder kernel;
  const Index m = kernel.axis(6), o = kernel.axis(16);
  const Index c = kernel.reduce_axis(4), k = kernel.reduce_axis(3);
  kernel.write(y, {m, o}, kernel.reduce(Combiner::sum, {c, k}, x.at({c, o + k}) * w.at({m, c, k})));
  g.kernel("Conv", kernel);
  EXPECT_NEAR(uses_in_factor(std::get<Kernel>(g.graph.steps[0]), x.value(), g.graph.values),
              3.0 * 16 / 18, 1e-9);
  EXPECT_EQ(uses_in_factor(std::get<Kernel>(g.graph.steps[0]), y.value(), g.graph.values), 0);
}

}  // namespace
}  // namespace burin::fuse_pieces_test

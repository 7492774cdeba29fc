// Products of one row as one kernel: how they read their constants, and what is computed once.
#include <gtest/gtest.h>

#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::chain_test {
namespace {

constexpr int64_t kIn = 64, kHidden = 96, kOut = 40;

// sum over d of x[0, d] * w, which lies as [n][d] or as [d][n].
void product_of_row(GraphFixture& g, const std::string& name, const Operand& x, const Operand& y,
                    bool along_depth) {
  const int64_t depth = x.dim(1).constant(), columns = y.dim(1).constant();
  const Operand w = g.constant(
      name + "_w",
      along_depth ? std::vector<int64_t>{columns, depth} : std::vector<int64_t>{depth, columns},
      -1);
  KernelBuilder builder;
  const Index n = builder.axis(columns), d = builder.reduce_axis(depth);
  const Expr weight = along_depth ? w.at({n, d}) : w.at({d, n});
  builder.write(y, {Index(0), n}, builder.reduce(Combiner::sum, {d}, x.at({Index(0), d}) * weight));
  g.kernel(name, builder);
}

// A product, an activation of seven operations, a product.
KernelGraph& activated(GraphFixture& g, bool along_depth) {
  const Operand x = g.input("x", {1, kIn}), h = g.value("h", {1, kHidden}),
                a = g.value("a", {1, kHidden}), y = g.output("y", {1, kOut});
  product_of_row(g, "First", x, h, along_depth);
  g.map("Activation", a, [&](const Indices& at) {
    const Expr e = h.at(at), more = e + 1.0;
    return Expr::unary(Unary::erf, e) * e + Expr::unary(Unary::erf, more) * more;
  });
  product_of_row(g, "Second", a, y, along_depth);
  return g.graph;
}

const Kernel& only_kernel(const KernelGraph& graph) { return std::get<Kernel>(graph.steps.at(0)); }

TEST(Chain, AnActivationIsComputedOnceForAllResults) {
  GraphFixture g;
  const KernelGraph graph = activated(g, true);
  FuseOptions options;
  options.small_operations = 1 << 20;
  const KernelGraph fused = fuse(graph, options);
  ASSERT_EQ(fused.steps.size(), 1u) << to_string(fused);
  for (const Let& let : only_kernel(fused).lets) {
    if (let.op != Combiner::sum) continue;
    visit(let.body[0], [&](const ExprNode& node) {
      EXPECT_FALSE(node.kind == ExprKind::unary && node.unary() == Unary::erf) << to_string(fused);
    });
  }
  expect_same(graph, fused);
}

TEST(Chain, ConstantsAcrossTheDepthAreBetterOffInTiles) {
  GraphFixture g;
  FuseOptions options;
  options.small_operations = 1 << 20;
  const KernelGraph& graph = activated(g, false);
  const KernelGraph fused = fuse(graph, options);
  EXPECT_EQ(fused.steps.size(), 2u) << to_string(fused);
  expect_same(graph, fused);
}

}  // namespace
}  // namespace burin::chain_test

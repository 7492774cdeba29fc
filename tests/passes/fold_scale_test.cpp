// Scales of sums of products in their constant factor. The numbers are such that no product rounds.
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::fold_scale_test {
namespace {

// product[m, n] = sum over k (x[m, k] * w[k, n])
Operand product_of(GraphFixture& g, const Operand& x, const Operand& w,
                   const std::string& name = "product") {
  const Operand y = g.value(name, {x.dim(0), w.dim(1)});
  KernelBuilder kernel;
  const Index m = kernel.axis(x.dim(0)), n = kernel.axis(w.dim(1)),
              k = kernel.reduce_axis(x.dim(1));
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, x.at({m, k}) * w.at({k, n})));
  g.kernel(name, kernel);
  return y;
}

int count(const KernelGraph& graph, Binary op) {
  int found = 0;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    for (const Write& write : kernel.writes) {
      visit(write.value, [&](const ExprNode& node) {
        found += node.kind == ExprKind::binary && node.binary() == op;
      });
    }
  });
  return found;
}

KernelGraph unfolded(const KernelGraph& graph) {
  FuseOptions options;
  options.fold_scales = false;
  return fuse(graph, options);
}

// ((x w + b) * s + t), then Relu: only a bias and the maximum stay.
TEST(FoldScale, ANormalisationLeavesABias) {
  GraphFixture g;
  const Operand x = g.input("x", {3, 5}), y = g.output("y", {3, 4});
  const Operand product = product_of(g, x, g.constant("w", {5, 4}));
  const Operand b = g.constant("b", {4}, 1), s = g.constant("s", {4}, 2),
                t = g.constant("t", {4}, -3);
  g.map("BatchNormalization", y, [&](const Indices& at) {
    const Indices channel = {at[1]};
    return max((product.at(at) + b.at(channel)) * s.at(channel) + t.at(channel), x.zero());
  });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count(unfolded(g.graph), Binary::mul), 1);
  EXPECT_EQ(count(fused, Binary::mul), 0) << to_string(fused);
  EXPECT_EQ(count(fused, Binary::add), 1) << to_string(fused);
  expect_same(g.graph, fused);
}

// y = v * clip(v): both uses of v = 1 - (x w) / 4 are scaled alike.
TEST(FoldScale, AllUsesShareTheScale) {
  GraphFixture g;
  const Operand x = g.input("x", {3, 5}), y = g.output("y", {3, 4});
  const Operand product = product_of(g, x, g.constant("w", {5, 4}));
  g.map("Map", y, [&](const Indices& at) {
    const Expr v = 1.0 - product.at(at) / 4.0;
    return v * max(v, x.zero());
  });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count(fused, Binary::div), 0) << to_string(fused);
  expect_same(g.graph, fused);
}

// ((x w + b) * s + t) and an activation that uses it several times: LeakyRelu, PRelu, HardSwish.
TEST(FoldScale, ANormalisationInFrontOfAnActivationLeavesABias) {
  for (const char* kind : {"leaky", "slopes", "swish"}) {
    GraphFixture g;
    const Operand x = g.input("x", {3, 5}), y = g.output("y", {3, 4});
    const Operand product = product_of(g, x, g.constant("w", {5, 4}));
    const Operand b = g.constant("b", {4}, 1), s = g.constant("s", {4}, 2),
                  t = g.constant("t", {4}, -3), slopes = g.constant("slopes", {4}, 0.25);
    g.map("Map", y, [&](const Indices& at) {
      const Indices channel = {at[1]};
      const Expr v = (product.at(at) + b.at(channel)) * s.at(channel) + t.at(channel);
      if (kind == std::string("swish"))
        return v * max(min(v / 8.0 + 0.5, Expr::constant(Type::f32, 1)), x.zero());
      const Expr slope =
          kind == std::string("leaky") ? Expr::constant(Type::f32, 0.125) : slopes.at(channel);
      return Expr::select(compare(Binary::lt, v, x.zero()), v * slope, v);
    });
    const KernelGraph fused = fuse(g.graph, {});
    const int kept = count(unfolded(g.graph), Binary::mul) - count(fused, Binary::mul);
    EXPECT_GT(kept, 0) << kind << "\n" << to_string(fused);
    for_each_kernel(fused.steps, [&](const Kernel& kernel) {
      visit(kernel.writes[0].value, [&](const ExprNode& node) {
        EXPECT_FALSE(node.kind == ExprKind::load && node.id == s.value()) << to_string(fused);
      });
    });
    expect_same(g.graph, fused);
  }
}

// Two products of a row in one kernel: the first one's normalisation is folded there, too.
TEST(FoldScale, ANormalisationInAChainLeavesABias) {
  GraphFixture g;
  const Operand x = g.input("x", {1, 5}), h = g.value("h", {1, 4}), y = g.output("y", {1, 3});
  const Operand first = product_of(g, x, g.constant("w", {5, 4}), "first");
  const Operand b = g.constant("b", {4}, 1), s = g.constant("s", {4}, 2),
                t = g.constant("t", {4}, -3);
  g.map("BatchNormalization", h, [&](const Indices& at) {
    const Indices channel = {at[1]};
    return max((first.at(at) + b.at(channel)) * s.at(channel) + t.at(channel), x.zero());
  });
  const Operand second = g.constant("v", {3, 4}, -1);
  KernelBuilder kernel;
  const Index n = kernel.axis(3), k = kernel.reduce_axis(4);
  kernel.write(y, {Index(0), n},
               kernel.reduce(Combiner::sum, {k}, h.at({Index(0), k}) * second.at({n, k})));
  g.kernel("second", kernel);
  FuseOptions options;
  options.small_operations = 1 << 20;
  const KernelGraph fused = fuse(g.graph, options);
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  for_each_kernel(fused.steps, [&](const Kernel& one) {
    for (const ValueId id : reads_of(one)) EXPECT_NE(id, s.value()) << to_string(fused);
  });
  expect_same(g.graph, fused);
}

TEST(FoldScale, DifferentScalesStay) {
  GraphFixture g;
  const Operand x = g.input("x", {3, 5}), y = g.output("y", {3, 4});
  const Operand product = product_of(g, x, g.constant("w", {5, 4}));
  g.map("Map", y,
        [&](const Indices& at) { return max(product.at(at) * 2.0, product.at(at) * 4.0 + 1.0); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(to_string(fused), to_string(unfolded(g.graph)));
}

// y[m, k] = sum over k (x[m, k] * w[k]) * s[k]: the k of the sum is not that of the result.
TEST(FoldScale, AnAxisOfTheSumIsAnotherOneOutside) {
  GraphFixture g;
  const Operand x = g.input("x", {3, 5}), y = g.output("y", {3, 5}), w = g.constant("w", {5}),
                s = g.constant("s", {5}, 2);
  KernelBuilder kernel;
  const Index m = kernel.axis(3), k = kernel.reduce_axis(5);
  kernel.write(y, {m, k}, kernel.reduce(Combiner::sum, {k}, x.at({m, k}) * w.at({k})) * s.at({k}));
  g.kernel("Sum", kernel);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count(fused, Binary::mul), 1) << to_string(fused);
  expect_same(g.graph, fused);
}

// A scale of the run, one that the weights have no axis for, weights of somebody else or narrower
// than the sum, weights that would overflow, signs: all stay.
TEST(FoldScale, WhatCannotBeComputedNowStays) {
  enum Case { run_time_scale, other_axis, shared_weight, narrow_weight, overflow, whole_numbers };
  for (const Case which :
       {run_time_scale, other_axis, shared_weight, narrow_weight, overflow, whole_numbers}) {
    GraphFixture g;
    const Operand x = g.input("x", {3, 5}), y = g.output("y", {3, 4}), s = g.input("s", {4}),
                  rows = g.constant("rows", {3}, 2);
    Operand w = g.constant("w", {5, 4});
    if (which == narrow_weight) {
      g.graph.values[static_cast<size_t>(w.value())].type = Type::f16;
      w = Operand(w.value(), Type::f16, {5, 4});
    }
    if (which == whole_numbers) {
      HostTensor signs = make_tensor(Type::f32, {5, 4});
      for (int64_t i = 0; i < 20; ++i) signs.set(i, {i % 3 == 0 ? -1.0 : 1.0, 0});
      g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(signs);
    }
    const Operand product = product_of(g, x, w);
    g.map("Map", y, [&](const Indices& at) -> Expr {
      switch (which) {
        case run_time_scale:
          return product.at(at) * s.at({at[1]});
        case other_axis:
          return product.at(at) * rows.at({at[0]});
        case overflow:
          return product.at(at) * 3e38;
        default:
          return product.at(at) * 2.0;
      }
    });
    if (which == shared_weight) {
      const Operand z = g.output("z", {7, 4});
      const Operand other = product_of(g, g.input("u", {7, 5}), w, "other");
      g.map("Map_1", z, [&](const Indices& at) { return max(other.at(at), x.zero()); });
    }
    const KernelGraph fused = fuse(g.graph, {});
    EXPECT_EQ(to_string(fused), to_string(unfolded(g.graph))) << which;
  }
}

}  // namespace
}  // namespace burin::fold_scale_test

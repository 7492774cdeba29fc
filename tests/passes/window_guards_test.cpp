// Conditions of operands that windows do without: transposed convolutions of every stride, and
// what may not be left out.
#include "select/tiles/window_guards.h"

#include "selected_kernel.h"
#include "small_hardware.h"

namespace burin::window_guards_test {
namespace {

struct Transposed {
  int64_t filters, stride, taps, before, more;  // `more`: rows and columns behind the last
  Dim height, width;
};

// y[m, i, j] = sum over c, p, q of x[c, (i + before - p) / stride, (j + before - q) / stride] *
// w[c, m, p, q] where these are whole.
KernelGraph transposed_convolution(const Transposed& t) {
  GraphFixture g;
  const auto results = [&](const Dim& size) {
    return (size - 1) * t.stride + (t.taps - 2 * t.before + t.more);
  };
  const Dim rows = results(t.height), columns = results(t.width);
  const Operand x = g.input("x", {5, t.height, t.width}),
                y = g.output("y", {t.filters, rows, columns}),
                w = g.constant("w", {5, t.filters, t.taps, t.taps}, -1);
  KernelBuilder kernel;
  const Index m = kernel.axis(t.filters), i = kernel.axis(rows), j = kernel.axis(columns);
  const Index c = kernel.reduce_axis(5), p = kernel.reduce_axis(t.taps),
              q = kernel.reduce_axis(t.taps);
  const Index spread_y = i + t.before - p, spread_x = j + t.before - q,
              at_y = floordiv(spread_y, t.stride), at_x = floordiv(spread_x, t.stride);
  const Expr element = Expr::cases({{{{mod(spread_y, t.stride), 0, 1},
                                      {mod(spread_x, t.stride), 0, 1},
                                      {at_y, 0, t.height},
                                      {at_x, 0, t.width}},
                                     x.at({c, at_y, at_x})}},
                                   x.zero());
  kernel.write(y, {m, i, j}, kernel.reduce(Combiner::sum, {c, p, q}, element * w.at({c, m, p, q})));
  g.kernel("ConvTranspose", kernel);
  t.height.collect_symbols(g.graph.symbols);
  t.width.collect_symbols(g.graph.symbols);
  return g.graph;
}

Hardware machine(int64_t cache_bytes, int threads = 1) {
  Hardware hardware = small_hardware({{cache_bytes, 4, 64, 1}});
  hardware.threads_max = threads;
  return hardware;
}

TEST(WindowGuards, TransposedConvolutionsReadThroughWindows) {
  for (const int64_t filters : {1, 3}) {
    for (const int64_t stride : {2, 3}) {
      for (const int64_t taps : {2, 3, 4, 5}) {
        for (const int64_t before : {0, 1}) {
          for (const int64_t more : {0, 1}) {
            // That threads write apart is shown of windows only: rows stay an axis of their own.
            const int threads = more == 0 || taps <= stride ? 1 : 3;
            const Transposed t{filters, stride, taps, before, more, 17, 29};
            const SelectedKernel kernel(transposed_convolution(t),
                                        machine(threads == 1 ? 1 << 20 : 2048, threads));
            // With a tap for each phase nothing slides.
            if (taps > stride) {
              ASSERT_TRUE(kernel.plan().contraction && kernel.product().window)
                  << kernel.plan().reason;
              // Where the stride does not divide them some phases lack a tap.
              EXPECT_EQ(!kernel.product().window->taps.empty(), taps % stride != 0);
            }
            kernel.expect_definition();
          }
        }
      }
    }
  }
}

TEST(WindowGuards, SizesMayBeDynamic) {
  const Dim height = sized("H", 2, 40, 13), width = sized("W", 2, 60, 21);
  const SelectedKernel kernel(transposed_convolution({3, 2, 3, 1, 1, height, width}),
                              machine(4096));
  ASSERT_TRUE(kernel.plan().contraction && kernel.product().window);
  for (const auto& [h, w] :
       std::vector<std::pair<int64_t, int64_t>>{{2, 2}, {3, 60}, {13, 21}, {40, 7}})
    kernel.expect_definition({{"H", h}, {"W", w}});
}

// Over axes i (results), t (taps) and b (batch) of x[20].
struct Small {
  GraphFixture g;
  Operand x = g.input("x", {20});
  Index i = Index::axis(0, 16), t = Index::axis(1, 3), b = Index::axis(2, 2);
  Expr element(const Guard& guard, const Index& at) const {
    return Expr::cases({{guard, x.at({at})}}, x.zero());
  }
  SlidingOperand of(const Expr& element, const Guard& written) const {
    return sliding_operand(element, written, {0}, g.graph.values);
  }
};

TEST(WindowGuards, WhatKeepsReadsInsideStays) {
  const Small s;
  const Index at = s.i + s.t - 1;
  const Condition inside{at, 0, 20}, written{s.i * 2 + s.b, 0, 31}, tap{s.t * 2 + s.b, 0, 5};
  const Expr all = s.element({written, tap, inside}, at);
  const SlidingOperand out = s.of(all, {written});
  EXPECT_EQ(out.element, s.element({inside}, at));
  EXPECT_EQ(out.taps, (Guard{tap}));
  // Not what results that are written lack.
  EXPECT_EQ(s.of(all, {}).element, s.element({written, inside}, at));
  // Nothing, where only these keep the read inside.
  const Index far = s.i + s.t * 3;
  const Condition keeps{s.i, 0, 14};
  EXPECT_EQ(s.of(s.element({keeps, tap}, far), {keeps}).element, s.element({keeps, tap}, far));
  EXPECT_TRUE(s.of(s.element({keeps, tap}, far), {keeps}).taps.empty());
}

TEST(WindowGuards, ATapWhoseElementIsNotZeroStays) {
  const Small s;
  const Index at = s.i + s.t;
  const Condition tap{s.t * 2 + s.b, 0, 5};
  const Expr one = Expr::cases({{{tap}, s.x.at({at})}}, Expr::constant(Type::f32, 1));
  EXPECT_EQ(s.of(one, {}).element, one);
  EXPECT_TRUE(s.of(one, {}).taps.empty());
}

}  // namespace
}  // namespace burin::window_guards_test

// Single kernels against results that are worked out by hand or by plain loops.
#include <gtest/gtest.h>

#include <cmath>

#include "support/check.h"
#include "unit/support/kernel_maker.h"

namespace burin::interpreter_kernel_test {
namespace {

std::vector<double> sample(int64_t count, unsigned seed) {
  std::vector<double> out;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    out.push_back(static_cast<float>((seed >> 8) % 2001) / 500.0f - 2.0f);
  }
  return out;
}

Let make_let(std::vector<int> over, std::vector<int> reduced, Combiner op, std::vector<Expr> body) {
  std::vector<Type> types;
  for (const Expr& part : body) types.push_back(part.type());
  return {std::move(over), std::move(reduced), op, std::move(body), std::move(types)};
}

void expect_near(const HostTensor& actual, const std::vector<double>& expected, double tolerance) {
  const std::vector<double> numbers = numbers_of(actual);
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(numbers[i], expected[i], tolerance) << "element " << i;
  }
}

// Softmax over the last dimension: two lets and a write, batch symbolic.
GraphMaker softmax_graph() {
  GraphMaker g;
  const Dim n = Index::symbol(make_symbol("N", 1));
  const ValueId x = g.input("x", Type::f32, {n, 3}), y = g.output("y", Type::f32, {n, 3});
  g.graph.symbols = {n.as_symbol()};
  Kernel k;
  const Index i = axis_of(k, n), j = axis_of(k, 3);
  const Expr in = g.load(x, {i, j});
  k.lets.push_back(make_let({0}, {1}, Combiner::max, {in}));
  const Expr e = Expr::unary(Unary::exp, in - Expr::let(0, Type::f32, {i}));
  k.lets.push_back(make_let({0}, {1}, Combiner::sum, {e}));
  k.writes.push_back({{0, 1}, y, {i, j}, e / Expr::let(1, Type::f32, {i}), {}, How::store});
  g.graph.steps.push_back(k);
  return g;
}

TEST(InterpretKernel, SoftmaxOfASymbolicBatch) {
  const GraphMaker g = softmax_graph();
  for (const int64_t n : {1, 4}) {
    const std::vector<double> x = sample(n * 3, 7);
    const RunResult run = g.run({floats({n, 3}, x)});
    ASSERT_EQ(run.status, kRunOk);
    ASSERT_EQ(run.outputs[0].shape, (std::vector<int64_t>{n, 3}));
    std::vector<double> expected;
    for (int64_t i = 0; i < n; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < 3; ++j) sum += std::exp(x[static_cast<size_t>(i * 3 + j)]);
      for (int64_t j = 0; j < 3; ++j) {
        expected.push_back(std::exp(x[static_cast<size_t>(i * 3 + j)]) / sum);
      }
    }
    expect_near(run.outputs[0], expected, 1e-6);
  }
}

HostTensor arg_extreme(Combiner op, const std::vector<double>& numbers) {
  GraphMaker g;
  const auto n = static_cast<int64_t>(numbers.size());
  const ValueId x = g.input("x", Type::f32, {n}), y = g.output("y", Type::i64, {});
  Kernel k;
  const Index i = axis_of(k, n, AxisKind::reduce);
  k.lets.push_back(make_let({}, {0}, op, {g.load(x, {i}), Expr::index(i)}));
  k.writes.push_back({{}, y, {}, Expr::let(0, Type::i64, {}, 1), {}, How::store});
  g.graph.steps.push_back(k);
  const RunResult run = g.run({floats({n}, numbers)});
  EXPECT_EQ(run.status, kRunOk);
  return run.outputs[0];
}

TEST(InterpretKernel, ArgMaxWithTies) {
  const std::vector<double> numbers{1, 3, -2, 3, -2};
  EXPECT_EQ(numbers_of(arg_extreme(Combiner::first_max, numbers))[0], 1);
  EXPECT_EQ(numbers_of(arg_extreme(Combiner::last_max, numbers))[0], 3);
  EXPECT_EQ(numbers_of(arg_extreme(Combiner::first_min, numbers))[0], 2);
  EXPECT_EQ(numbers_of(arg_extreme(Combiner::last_min, numbers))[0], 4);
  const double low = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(numbers_of(arg_extreme(Combiner::first_max, {low, low}))[0], 0);
  EXPECT_EQ(numbers_of(arg_extreme(Combiner::last_max, {low, low}))[0], 1);
}

TEST(InterpretKernel, ReductionsOverNothingAreNeutral) {
  GraphMaker g;
  const Dim n = Index::symbol(make_symbol("N", 0, 8));
  const ValueId x = g.input("x", Type::i32, {n}), y = g.output("y", Type::i32, {4});
  g.graph.symbols = {n.as_symbol()};
  const std::vector<Combiner> ops{Combiner::sum, Combiner::product, Combiner::min, Combiner::max};
  for (size_t o = 0; o < ops.size(); ++o) {
    Kernel k;
    const Index i = axis_of(k, n, AxisKind::reduce);
    k.lets.push_back(make_let({}, {0}, ops[o], {g.load(x, {i})}));
    k.writes.push_back(
        {{}, y, {Index(static_cast<int64_t>(o))}, Expr::let(0, Type::i32, {}), {}, How::store});
    g.graph.steps.push_back(k);
  }
  const RunResult none = g.run({integers({0}, {}, Type::i32)});
  EXPECT_EQ(numbers_of(none.outputs[0]), (std::vector<double>{0, 1, 2147483647.0, -2147483648.0}));
  const RunResult some = g.run({integers({3}, {4, -5, 6}, Type::i32)});
  EXPECT_EQ(numbers_of(some.outputs[0]), (std::vector<double>{5, -120, -5, 6}));
}

// y[o, p] = sum_{c, k} w[o, c, k] * x[c, 2*p + k - 1], zero outside.
TEST(InterpretKernel, ConvolutionWithPaddingGuards) {
  constexpr int64_t kIn = 3, kOut = 2, kWidth = 7, kSize = 3, kResult = 4;
  GraphMaker g;
  const ValueId x = g.input("x", Type::f32, {kIn, kWidth});
  const ValueId w = g.constant("w", floats({kOut, kIn, kSize}, sample(kOut * kIn * kSize, 3)));
  const ValueId y = g.output("y", Type::f32, {kOut, kResult});
  Kernel k;
  const Index o = axis_of(k, kOut), p = axis_of(k, kResult), c = axis_of(k, kIn, AxisKind::reduce),
              s = axis_of(k, kSize, AxisKind::reduce);
  const Index at = p * 2 + s - 1;
  const Expr padded =
      Expr::cases({{{{at, 0, kWidth}}, g.load(x, {c, at})}}, Expr::constant(Type::f32, 0));
  k.lets.push_back(make_let({0, 1}, {2, 3}, Combiner::sum, {padded * g.load(w, {o, c, s})}));
  k.writes.push_back({{0, 1}, y, {o, p}, Expr::let(0, Type::f32, {o, p}), {}, How::store});
  g.graph.steps.push_back(k);
  const std::vector<double> xs = sample(kIn * kWidth, 11), ws = sample(kOut * kIn * kSize, 3);
  std::vector<double> expected;
  for (int64_t oo = 0; oo < kOut; ++oo) {
    for (int64_t pp = 0; pp < kResult; ++pp) {
      double sum = 0;
      for (int64_t cc = 0; cc < kIn; ++cc) {
        for (int64_t ss = 0; ss < kSize; ++ss) {
          const int64_t i = 2 * pp + ss - 1;
          if (i < 0 || i >= kWidth) continue;
          sum += xs[static_cast<size_t>(cc * kWidth + i)] *
                 ws[static_cast<size_t>((oo * kIn + cc) * kSize + ss)];
        }
      }
      expected.push_back(sum);
    }
  }
  const RunResult run = g.run({floats({kIn, kWidth}, xs)});
  ASSERT_EQ(run.status, kRunOk);
  expect_near(run.outputs[0], expected, 1e-5);
}

// h[t] = tanh(x[t] + u h[t-1]), and the last state as a second output.
TEST(InterpretKernel, RecurrenceReadsItsPreviousState) {
  GraphMaker g;
  const Dim t_extent = Index::symbol(make_symbol("T", 0, 100));
  const ValueId x = g.input("x", Type::f32, {t_extent, 2});
  const ValueId u = g.constant("u", floats({2, 2}, {0.5, -1, 0.25, 2}));
  const ValueId first = g.constant("h0", floats({2}, {0.1, -0.2}));
  const ValueId all = g.output("all", Type::f32, {t_extent, 2});
  const ValueId last = g.output("last", Type::f32, {2});
  g.graph.symbols = {t_extent.as_symbol()};
  Kernel k;
  const Index t = axis_of(k, t_extent, AxisKind::sequential), h = axis_of(k, 2),
              r = axis_of(k, 2, AxisKind::reduce);
  const Expr before =
      Expr::cases({{{{t, 1, t_extent}}, Expr::let(1, Type::f32, {t - 1, r})}}, g.load(first, {r}));
  k.lets.push_back(make_let({0, 1}, {2}, Combiner::sum, {g.load(u, {h, r}) * before}));
  k.lets.push_back(
      make_let({0, 1}, {}, Combiner::none,
               {Expr::unary(Unary::tanh, g.load(x, {t, h}) + Expr::let(0, Type::f32, {t, h}))}));
  k.writes.push_back({{0, 1}, all, {t, h}, Expr::let(1, Type::f32, {t, h}), {}, How::store});
  const Expr final_state =
      Expr::cases({{{{t_extent, 1, kUnbounded}}, Expr::let(1, Type::f32, {t_extent - 1, h})}},
                  g.load(first, {h}));
  k.writes.push_back({{1}, last, {h}, final_state, {}, How::store});
  g.graph.steps.push_back(k);

  for (const int64_t steps : {0, 1, 5}) {
    const std::vector<double> xs = sample(steps * 2, 5);
    double state[2] = {0.1, -0.2};
    std::vector<double> expected;
    for (int64_t i = 0; i < steps; ++i) {
      const double a = std::tanh(xs[static_cast<size_t>(2 * i)] + 0.5 * state[0] - state[1]);
      const double b =
          std::tanh(xs[static_cast<size_t>(2 * i + 1)] + 0.25 * state[0] + 2 * state[1]);
      expected.insert(expected.end(), {a, b});
      state[0] = a;
      state[1] = b;
    }
    const RunResult run = g.run({floats({steps, 2}, xs)});
    ASSERT_EQ(run.status, kRunOk);
    expect_near(run.outputs[0], expected, 1e-6);
    expect_near(run.outputs[1], {state[0], state[1]}, 1e-6);
  }
}

// y = x, then y[index[k]] = update[k] in order: the last duplicate wins; with add all count.
TEST(InterpretKernel, ScatterWithDuplicates) {
  for (const How how : {How::store, How::add}) {
    GraphMaker g;
    const ValueId x = g.input("x", Type::f32, {4}), index = g.input("index", Type::i64, {3}),
                  update = g.input("update", Type::f32, {3}), y = g.output("y", Type::f32, {4});
    Kernel copy;
    const Index i = axis_of(copy, 4);
    copy.writes.push_back({{0}, y, {i}, g.load(x, {i}), {}, How::store});
    Kernel scatter;
    const Index k = axis_of(scatter, 3, AxisKind::sequential);
    const Expr raw = g.load(index, {k});
    const Expr wrapped = Expr::select(compare(Binary::lt, raw, Expr::constant(Type::i64, 0)),
                                      raw + Expr::constant(Type::i64, 4), raw);
    scatter.writes.push_back(
        {{0}, y, {Index::data(wrapped.ptr(), {0, 3})}, g.load(update, {k}), {}, how});
    g.graph.steps = {copy, scatter};
    const RunResult run =
        g.run({floats({4}, {1, 2, 3, 4}), integers({3}, {2, -4, 2}), floats({3}, {10, 20, 30})});
    ASSERT_EQ(run.status, kRunOk);
    EXPECT_EQ(numbers_of(run.outputs[0]), how == How::store ? (std::vector<double>{20, 2, 30, 4})
                                                            : (std::vector<double>{21, 2, 43, 4}));
    // An index that breaks its promise is a bug, not a result.
    EXPECT_THROW(
        g.run({floats({4}, {1, 2, 3, 4}), integers({3}, {2, 4, 2}), floats({3}, {1, 2, 3})}),
        InternalError);
  }
}

// Scores, maximum, exponentials, sum, weighted sum.
TEST(InterpretKernel, AttentionIsFiveLets) {
  constexpr int64_t kQueries = 3, kKeys = 4, kDepth = 2;
  GraphMaker g;
  const ValueId q = g.input("q", Type::f32, {kQueries, kDepth}),
                key = g.input("k", Type::f32, {kKeys, kDepth}),
                v = g.input("v", Type::f32, {kKeys, kDepth}),
                y = g.output("y", Type::f32, {kQueries, kDepth});
  Kernel k;
  const Index i = axis_of(k, kQueries), j = axis_of(k, kKeys), d = axis_of(k, kDepth),
              r = axis_of(k, kDepth, AxisKind::reduce);
  const auto let = [&](int number, std::vector<Index> at) {
    return Expr::let(number, Type::f32, std::move(at));
  };
  k.lets.push_back(make_let({0, 1}, {3}, Combiner::sum, {g.load(q, {i, r}) * g.load(key, {j, r})}));
  k.lets.push_back(make_let({0}, {1}, Combiner::max, {let(0, {i, j})}));
  k.lets.push_back(make_let({0, 1}, {}, Combiner::none,
                            {Expr::unary(Unary::exp, let(0, {i, j}) - let(1, {i}))}));
  k.lets.push_back(make_let({0}, {1}, Combiner::sum, {let(2, {i, j})}));
  k.lets.push_back(make_let({0, 2}, {1}, Combiner::sum, {let(2, {i, j}) * g.load(v, {j, d})}));
  k.writes.push_back({{0, 2}, y, {i, d}, let(4, {i, d}) / let(3, {i}), {}, How::store});
  g.graph.steps.push_back(k);
  const auto at = [](const std::vector<double>& m, int64_t row, int64_t column) {
    return m[static_cast<size_t>(row * kDepth + column)];
  };
  const std::vector<double> qs = sample(6, 1), ks = sample(8, 2), vs = sample(8, 3);
  std::vector<double> expected;
  for (int64_t a = 0; a < kQueries; ++a) {
    double sum = 0, weighted[kDepth] = {0, 0};
    for (int64_t b = 0; b < kKeys; ++b) {
      const double e = std::exp(at(qs, a, 0) * at(ks, b, 0) + at(qs, a, 1) * at(ks, b, 1));
      sum += e;
      for (int64_t c = 0; c < kDepth; ++c) weighted[c] += e * at(vs, b, c);
    }
    expected.insert(expected.end(), {weighted[0] / sum, weighted[1] / sum});
  }
  const RunResult run = g.run({floats({3, 2}, qs), floats({4, 2}, ks), floats({4, 2}, vs)});
  ASSERT_EQ(run.status, kRunOk);
  expect_near(run.outputs[0], expected, 1e-5);
}

// Only the chosen case is evaluated: the others may be out of bounds.
TEST(InterpretKernel, CasesAreLazyAndCongruencesWork) {
  GraphMaker g;
  const ValueId x = g.input("x", Type::i32, {3}), y = g.output("y", Type::i32, {6});
  Kernel k;
  const Index i = axis_of(k, 6);
  // y[i] = x[i / 2] where i is odd, -1 elsewhere; written only below 5.
  const Expr value = Expr::cases({{{{mod(i, 2), 1, 2}}, g.load(x, {floordiv(i, 2)})}},
                                 Expr::constant(Type::i32, -1));
  k.writes.push_back({{0}, y, {i}, value, {{i, 0, 5}}, How::store});
  k.writes.push_back({{}, y, {Index(5)}, Expr::constant(Type::i32, 77), {}, How::store});
  g.graph.steps.push_back(k);
  const RunResult run = g.run({integers({3}, {7, 8, 9}, Type::i32)});
  EXPECT_EQ(numbers_of(run.outputs[0]), (std::vector<double>{-1, 7, -1, 8, -1, 77}));
}

TEST(InterpretKernel, AccessOutsideAValueIsABug) {
  GraphMaker g;
  const ValueId x = g.input("x", Type::f32, {4}), y = g.output("y", Type::f32, {5});
  Kernel k;
  const Index i = axis_of(k, 5);
  k.writes.push_back({{0}, y, {i}, g.load(x, {i}), {}, How::store});
  g.graph.steps.push_back(k);
  EXPECT_THROW(g.run({floats({4}, {1, 2, 3, 4})}), InternalError);

  GraphMaker store;
  const ValueId z = store.output("z", Type::f32, {2});
  Kernel s;
  const Index j = axis_of(s, 3);
  s.writes.push_back({{0}, z, {j}, Expr::constant(Type::f32, 1), {}, How::store});
  store.graph.steps.push_back(s);
  EXPECT_THROW(store.run({}), InternalError);
}

TEST(InterpretKernel, AStateThatIsNotComputedYetIsABug) {
  GraphMaker g;
  const ValueId y = g.output("y", Type::f32, {3});
  Kernel k;
  const Index t = axis_of(k, 3, AxisKind::sequential);
  k.lets.push_back(make_let({0}, {}, Combiner::none, {Expr::let(0, Type::f32, {t})}));
  k.writes.push_back({{0}, y, {t}, Expr::let(0, Type::f32, {t}), {}, How::store});
  g.graph.steps.push_back(k);
  EXPECT_THROW(g.run({}), InternalError);
}

TEST(InterpretKernel, NarrowTypesAreRoundedWhenStored) {
  GraphMaker g;
  const ValueId x = g.input("x", Type::f16, {2}), y = g.output("y", Type::f16, {2}),
                z = g.output("z", Type::i4, {3});
  Kernel k;
  const Index i = axis_of(k, 2), j = axis_of(k, 3);
  k.writes.push_back({{0}, y, {i}, g.load(x, {i}) + 0.0001, {}, How::store});
  k.writes.push_back(
      {{1}, z, {j}, Expr::cast(Type::i32, Expr::index(j - 9, Type::i32)), {}, How::store});
  g.graph.steps.push_back(k);
  const RunResult run = g.run({make_tensor(Type::f16, {2}, std::vector<double>{1, 2048})});
  EXPECT_EQ(numbers_of(run.outputs[0]), (std::vector<double>{1, 2048}));
  EXPECT_EQ(numbers_of(run.outputs[1]), (std::vector<double>{7, -8, -7}));
  EXPECT_EQ(run.outputs[1].bytes.size(), 2u);
}

TEST(InterpretKernel, BudgetOfOperationsAndMemory) {
  const GraphMaker g = softmax_graph();
  const std::vector<HostTensor> inputs{floats({4, 3}, sample(12, 9))};
  InterpretOptions few;
  few.operations = 20;
  EXPECT_EQ(g.run(inputs, few).status, kRunOverBudget);
  InterpretOptions small;
  small.bytes = 64;
  EXPECT_EQ(g.run(inputs, small).status, kRunOverBudget);
  InterpretOptions enough;
  enough.operations = 1000;
  enough.bytes = 2000;
  EXPECT_EQ(g.run(inputs, enough).status, kRunOk);
}

TEST(InterpretKernel, HugeExtentsStopBeforeMemoryIsTaken) {
  GraphMaker g;
  const int64_t huge = int64_t{1} << 40;
  const ValueId y = g.output("y", Type::f64, {huge, huge});
  Kernel k;
  const Index i = axis_of(k, huge), j = axis_of(k, huge);
  k.writes.push_back({{0, 1}, y, {i, j}, Expr::constant(Type::f64, 1), {}, How::store});
  g.graph.steps.push_back(k);
  EXPECT_EQ(g.run({}).status, kRunOverBudget);
}

}  // namespace
}  // namespace burin::interpreter_kernel_test

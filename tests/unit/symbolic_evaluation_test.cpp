// Elements of small tensors over symbols, and the same kernels interpreted at every size: what is
// claimed to be known must be what the interpreter computes.
#include <gtest/gtest.h>

#include "kernel/index/index_text.h"
#include "kernel/symbolic/symbolic.h"
#include "unit/support/kernel_maker.h"

namespace burin::symbolic_evaluation_test {
namespace {

const Symbol kN = make_symbol("N", 1);
const Symbol kM = make_symbol("M", 0, 100);
const Dim n = Index::symbol(kN), m = Index::symbol(kM);

// A chain of one-element kernels, as exporters write size computations.
struct Chain {
  GraphMaker g;
  std::map<ValueId, SymbolicElements> known;

  ValueId source(Type type, const std::vector<Dim>& elements) {
    const ValueId id = g.internal("s", type, {static_cast<int64_t>(elements.size())});
    known[id] = to_elements(elements);
    return id;
  }
  // One kernel that maps element i of `from`.
  ValueId map(ValueId from, Type type, const std::function<Expr(const Expr&)>& f) {
    const Dim extent = g.graph.values[static_cast<size_t>(from)].shape[0];
    const ValueId to = g.internal("t", type, {extent});
    Kernel k;
    const Index i = extent.is_constant(1) ? Index(0) : axis_of(k, extent);
    k.writes.push_back({k.axes.empty() ? std::vector<int>{} : std::vector<int>{0},
                        to,
                        {i},
                        f(g.load(from, {i})),
                        {},
                        How::store});
    g.graph.steps.push_back(k);
    return to;
  }
  std::string text(ValueId id, const SymbolicOptions& options = {}) const {
    const auto all = evaluate_symbolically(g.graph.steps, g.graph.values, known, options);
    const auto at = all.find(id);
    if (at == all.end()) return "unknown";
    const auto dims = all_known(at->second);
    return dims ? to_string(*dims) : "partly unknown";
  }
};

Expr f32(double value) { return Expr::constant(Type::f32, value); }
Expr i64(int64_t value) { return Expr::constant(Type::i64, value); }
Expr to_f32(const Expr& x) { return Expr::cast(Type::f32, x); }
Expr to_i64(const Expr& x) { return Expr::cast(Type::i64, x); }

std::string mapped(const std::vector<Dim>& in, const std::function<Expr(const Expr&)>& f) {
  Chain c;
  return c.text(c.map(c.source(Type::i64, in), Type::i64, f));
}

TEST(Symbolic, IntegerArithmetic) {
  EXPECT_EQ(mapped({n, m, 3}, [](const Expr& x) { return x * i64(2) + i64(1); }),
            "[2*N + 1, 2*M + 1, 7]");
  EXPECT_EQ(mapped({n}, [](const Expr& x) { return x / i64(2); }),
            to_string(std::vector<Dim>{floordiv(n, 2)}));
  EXPECT_EQ(mapped({-n}, [](const Expr& x) { return x / i64(2); }),
            to_string(std::vector<Dim>{-floordiv(n, 2)}));
  EXPECT_EQ(mapped({n}, [](const Expr& x) { return i64(7) / (x - i64(3)); }), "unknown");
  EXPECT_EQ(mapped({n - 5}, [](const Expr& x) { return Expr::binary(Binary::mod, x, i64(4)); }),
            to_string(std::vector<Dim>{mod(n - 5, 4)}));
  EXPECT_EQ(mapped({n, m}, [](const Expr& x) { return min(x, i64(INT64_MAX)); }), "[N, M]");
  EXPECT_EQ(mapped({n - 7}, [](const Expr& x) { return max(x, i64(0)); }),
            to_string(std::vector<Dim>{max(n - 7, 0)}));
}

TEST(Symbolic, SelectsByProof) {
  // Where(x == -1, 7, x): a size is never -1.
  const auto minus_one_is_seven = [](const Expr& x) {
    return Expr::select(compare(Binary::eq, x, i64(-1)), i64(7), x);
  };
  EXPECT_EQ(mapped({n, -1, m}, minus_one_is_seven), "[N, 7, M]");
  // x < 0 ? x + 10 : x, undecided for N - 3
  const auto wrap = [](const Expr& x) {
    return Expr::select(compare(Binary::lt, x, i64(0)), x + i64(10), x);
  };
  EXPECT_EQ(mapped({n, -4}, wrap), "[N, 6]");
  EXPECT_EQ(mapped({n - 3}, wrap), to_string(std::vector<Dim>{n - 3 + min(1, max(0, 3 - n)) * 10}));
  // One of two sizes is within both their ranges.
  Chain c;
  const ValueId one = c.map(c.source(Type::i64, {m}), Type::i64, [](const Expr& x) {
    return Expr::select(compare(Binary::eq, x, i64(40)), i64(7), x);
  });
  const auto all = evaluate_symbolically(c.g.graph.steps, c.g.graph.values, c.known);
  const Range range = all_known(all.at(one))->at(0).range();
  EXPECT_EQ(range.lo, 0);
  EXPECT_EQ(range.hi, 100);
  const auto smaller = [](const Expr& x) {
    return Expr::select(compare(Binary::gt, x, i64(8)), i64(8), x);
  };
  EXPECT_EQ(mapped({n}, smaller), to_string(std::vector<Dim>{min(n, 8)}));
}

TEST(Symbolic, ScaledSizesThroughFloats) {
  const auto scaled = [](double scale, Unary rounding) {
    return [=](const Expr& x) { return to_i64(Expr::unary(rounding, to_f32(x) * f32(scale))); };
  };
  EXPECT_EQ(mapped({n}, scaled(2.0, Unary::floor)), "[2*N]");
  EXPECT_EQ(mapped({n}, scaled(0.5, Unary::floor)), to_string(std::vector<Dim>{floordiv(n, 2)}));
  EXPECT_EQ(mapped({n}, scaled(1.5, Unary::ceil)), to_string(std::vector<Dim>{ceildiv(n * 3, 2)}));
  // 0.7f needs 24 bits by itself: the product rounds, only bounds are claimed of N.
  EXPECT_EQ(mapped({n}, scaled(0.7f, Unary::floor)), "partly unknown");
  // ... but a number is computed as the run computes it: 7 in float, 6.9999999 exactly.
  EXPECT_EQ(mapped({10}, scaled(0.7f, Unary::floor)), "[7]");
  const auto divided = [](const Expr& x) {
    return to_i64(Expr::unary(Unary::floor, to_f32(x) / f32(3.0)));
  };
  EXPECT_EQ(mapped({m}, divided), to_string(std::vector<Dim>{floordiv(m, 3)}));
  // An unrounded third is not followed through further arithmetic.
  const auto third_twice = [](const Expr& x) {
    return to_i64(Expr::unary(Unary::floor, to_f32(x) / f32(3.0) + f32(0.5)));
  };
  EXPECT_EQ(mapped({m}, third_twice), "partly unknown");
  const auto ratio = [](const Expr& x) { return to_i64(to_f32(x * i64(6)) / to_f32(x)); };
  EXPECT_EQ(mapped({n}, ratio), "[6]");
}

// Every mapping, evaluated over M and then at M = 0 .. 100, against the interpreter at M.
TEST(Symbolic, AgreesWithTheInterpreterEverywhere) {
  const std::vector<std::function<Expr(const Expr&)>> maps = {
      [](const Expr& x) { return to_i64(Expr::unary(Unary::round, to_f32(x) * f32(0.5))); },
      [](const Expr& x) { return to_i64(Expr::unary(Unary::round, to_f32(x) * f32(0.25))); },
      [](const Expr& x) { return to_i64(Expr::unary(Unary::round, to_f32(x) / f32(6.0))); },
      [](const Expr& x) { return to_i64(Expr::unary(Unary::ceil, to_f32(x) / f32(7.0))); },
      [](const Expr& x) { return to_i64(to_f32(x - i64(50)) * f32(0.375)); },
      [](const Expr& x) {
        return to_i64(Expr::unary(Unary::floor, f32(10.0) - to_f32(x) / f32(8.0)));
      },
      [](const Expr& x) { return to_i64(to_f32(x) * f32(-1.25)); },
      [](const Expr& x) { return to_i64(min(to_f32(x) * f32(2.5), f32(3.4e38))); },
      [](const Expr& x) { return to_i64(Expr::unary(Unary::trunc, max(to_f32(x), f32(2.5)))); },
      [](const Expr& x) { return Expr::binary(Binary::mod, x * i64(3) - i64(7), i64(5)); },
      [](const Expr& x) { return Expr::binary(Binary::fmod, x * i64(3), i64(5)); },
      [](const Expr& x) { return (x - i64(33)) / i64(8); },
      [](const Expr& x) { return Expr::binary(Binary::fmod, x - i64(33), i64(8)); },
      [](const Expr& x) { return Expr::unary(Unary::abs, x - i64(33)); },
      [](const Expr& x) { return Expr::unary(Unary::sign, x - i64(33)); },
      [](const Expr& x) { return to_i64(Expr::unary(Unary::abs, to_f32(x - i64(33)) * f32(.5))); },
      [](const Expr& x) { return min(max(x - i64(3), i64(0)), i64(42)); },
      [](const Expr& x) { return Expr::cast(Type::i64, Expr::cast(Type::i8, x)); },
      [](const Expr& x) { return to_i64(Expr::cast(Type::u8, x * i64(4), CastMode::saturate)); },
      [](const Expr& x) { return Expr::select(compare(Binary::le, x, i64(9)), x, i64(9)); },
      [](const Expr& x) {
        return Expr::select(compare(Binary::le, x, i64(9)), x * i64(3), i64(4));
      },
      [](const Expr& x) { return Expr::select(compare(Binary::eq, x, i64(40)), i64(7), x); },
      [](const Expr& x) { return Expr::select(compare(Binary::ne, x, i64(0)), x, i64(-1)); },
      [](const Expr& x) { return Expr::select(compare(Binary::gt, x, i64(50)), i64(100) - x, x); },
      [](const Expr& x) {
        return Expr::select(compare(Binary::ge, x, i64(50)), x, x - i64(50)) + i64(1);
      },
      [](const Expr& x) { return to_i64(compare(Binary::lt, x * i64(2), i64(77))); },
  };
  for (size_t f = 0; f < maps.size(); ++f) {
    Chain c;
    const ValueId x = c.source(Type::i64, {m}), y = c.map(x, Type::i64, maps[f]);
    const auto all = evaluate_symbolically(c.g.graph.steps, c.g.graph.values, c.known);
    ASSERT_TRUE(all.contains(y)) << "mapping " << f << " is not known";
    const auto dims = all_known(all.at(y));
    ASSERT_TRUE(dims.has_value()) << "mapping " << f;
    for (int64_t at = 0; at <= 100; ++at) {
      Environment environment;
      environment.tensors[x] = integers({1}, {at});
      ASSERT_EQ(execute_steps(c.g.graph.steps, c.g.graph.values, environment).status, kRunOk);
      const int64_t expected = environment.tensors.at(y).get(0).integer;
      EXPECT_EQ((*dims)[0].substitute_symbol("M", at), Dim(expected))
          << "mapping " << f << " at " << at << ": " << to_string((*dims)[0]);
    }
  }
}

// Shape -> Gather -> Mul -> Concat, then Slice with clipped bounds: several kernels in order.
TEST(Symbolic, ChainsOfMovement) {
  Chain c;
  const ValueId shape = c.source(Type::i64, {n, 3, m, 8});
  const ValueId pick = c.g.constant("pick", integers({2}, {0, 2}));
  const ValueId gathered = c.g.internal("gathered", Type::i64, {2});
  Kernel gather;
  const Index i = axis_of(gather, 2);
  const Index at = Index::data(c.g.load(pick, {i}).ptr(), {0, 3});
  gather.writes.push_back({{0}, gathered, {i}, c.g.load(shape, {at}), {}, How::store});
  // concat(gathered, reduce_prod(shape[1..2]))
  const ValueId joined = c.g.internal("joined", Type::i64, {3});
  Kernel concat;
  const Index j = axis_of(concat, 3), r = axis_of(concat, 2, AxisKind::reduce);
  concat.lets.push_back({{}, {1}, Combiner::product, {c.g.load(shape, {r + 1})}, {Type::i64}});
  const Expr piece =
      Expr::cases({{{{j, 0, 2}}, c.g.load(gathered, {j})}}, Expr::let(0, Type::i64, {}));
  concat.writes.push_back({{0}, joined, {j}, piece, {}, How::store});
  c.g.graph.steps = {gather, concat};
  EXPECT_EQ(c.text(gathered), "[N, M]");
  EXPECT_EQ(c.text(joined), "[N, M, 3*M]");
}

TEST(Symbolic, WritesWithGuardsAndAccumulation) {
  Chain c;
  const ValueId x = c.source(Type::i64, {n, m, 4});
  const ValueId y = c.g.internal("y", Type::i64, {3});
  Kernel k;
  const Index i = axis_of(k, 3);
  k.writes.push_back({{0}, y, {i}, c.g.load(x, {i}), {}, How::store});
  k.writes.push_back({{0}, y, {i}, i64(100), {{i, 1, 2}}, How::add});
  k.writes.push_back({{}, y, {Index(2)}, i64(5), {{n, 1, kUnbounded}}, How::max});
  c.g.graph.steps = {k};
  EXPECT_EQ(c.text(y), "[N, M + 100, 5]");
  // A guard that cannot be decided makes only its own element unknown.
  Kernel undecided;
  undecided.writes.push_back({{}, y, {Index(0)}, i64(1), {{m, 50, 60}}, How::store});
  c.g.graph.steps = {k, undecided};
  EXPECT_EQ(c.text(y), "partly unknown");
}

TEST(Symbolic, ExtremesWithPayload) {
  Chain c;
  const ValueId x = c.source(Type::i64, {3, n + 9, 2});
  const ValueId y = c.g.internal("y", Type::i64, {1});
  Kernel k;
  const Index i = axis_of(k, 3, AxisKind::reduce);
  k.lets.push_back(
      {{}, {0}, Combiner::first_max, {c.g.load(x, {i}), Expr::index(i)}, {Type::i64, Type::i64}});
  k.writes.push_back({{}, y, {Index(0)}, Expr::let(0, Type::i64, {}, 1), {}, How::store});
  c.g.graph.steps = {k};
  EXPECT_EQ(c.text(y), "[1]");
  c.known[x] = to_elements({3, m, 2});
  EXPECT_EQ(c.text(y), "unknown");
}

TEST(Symbolic, SequentialScatterOverwritesInOrder) {
  Chain c;
  const ValueId index = c.g.constant("index", integers({3}, {1, 0, 1}));
  const ValueId update = c.source(Type::i64, {n, m, 2 * n});
  const ValueId y = c.g.internal("y", Type::i64, {2});
  Kernel k;
  const Index i = axis_of(k, 3, AxisKind::sequential);
  k.writes.push_back({{0},
                      y,
                      {Index::data(c.g.load(index, {i}).ptr(), {0, 1})},
                      c.g.load(update, {i}),
                      {},
                      How::store});
  c.g.graph.steps = {k};
  EXPECT_EQ(c.text(y), "[M, 2*N]");
}

TEST(Symbolic, LimitsAndOtherSteps) {
  Chain c;
  const ValueId x = c.source(Type::i64, {n, m});
  const ValueId y = c.map(x, Type::i64, [](const Expr& e) { return e + i64(1); });
  EXPECT_EQ(c.text(y), "[N + 1, M + 1]");
  SymbolicOptions few;
  few.operations = 3;
  EXPECT_EQ(c.text(y, few), "unknown");
  SymbolicOptions small;
  small.elements = 1;
  EXPECT_EQ(c.text(y, small), "unknown");
  Procedure procedure;
  procedure.function = "top_k";
  procedure.writes = {y};
  c.g.graph.steps.push_back(procedure);
  EXPECT_EQ(c.text(y), "unknown");
}

}  // namespace
}  // namespace burin::symbolic_evaluation_test

// Attention whose exponents, sums and masked rows are spelled in other ways.
#include "fuse/attention/attention_exponents.h"

#include <cmath>
#include <functional>
#include <limits>

#include "fuse/attention/attention_form.h"
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::attention_exponents_test {
namespace {

constexpr int64_t kQueries = 6, kKeys = 5, kDepth = 8, kElements = 3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Expr number(double value) { return Expr::constant(Type::f32, value); }

enum class Asks : uint8_t { nobody, all_masked, any_seen, how_many_seen };

struct Spelling {
  const char* name;
  std::function<Expr(const Expr& score, const Expr& most)> power =
      [](const Expr& score, const Expr& most) { return Expr::unary(Unary::exp, score - most); };
  double ones = 0;  // the total is a product with a constant of these; 0: a sum
  Asks asks = Asks::nobody;
  bool joins = true;
  double scale = 0.125, offset = 0;  // of scores
  bool fast = false;  // only with fast_math: the scale of an exponent becomes one of its score
};

// The first query is masked everywhere.
KernelGraph attention(GraphFixture& g, const Spelling& form) {
  const Operand q = g.input("q", {2, kQueries, kDepth}), k = g.input("k", {2, kKeys, kDepth}),
                v = g.input("v", {2, kKeys, kElements}),
                scores = g.value("scores", {2, kQueries, kKeys}),
                most = g.value("most", {2, kQueries, 1}),
                total = g.value("total", {2, kQueries, 1}),
                power = g.value("power", {2, kQueries, kKeys}),
                weights = g.value("weights", {2, kQueries, kKeys}),
                y = g.output("y", {2, kQueries, kElements});
  const auto product = [&](const char* name, const Operand& to, const Operand& a,
                           const std::function<Expr(const Indices&, const Index&)>& b,
                           const std::function<Expr(const Expr&, const Indices&)>& value) {
    KernelBuilder kernel;
    const Indices at = kernel.axes(to.shape());
    const Index i = kernel.reduce_axis(a.dim(2));
    const Expr sum = kernel.reduce(Combiner::sum, {i}, a.at({at[0], at[1], i}) * b(at, i));
    kernel.write(to, at, value(sum, at));
    g.kernel(name, kernel);
  };
  const auto itself = [](const Expr& sum, const Indices&) { return sum; };
  const auto reduced = [&](const char* name, const Operand& to, Combiner how,
                           const std::function<Expr(const Expr&)>& of, const Operand& x) {
    KernelBuilder kernel;
    const Indices at = kernel.axes({2, kQueries});
    const Index j = kernel.reduce_axis(kKeys);
    kernel.write(to, {at[0], at[1], 0}, kernel.reduce(how, {j}, of(x.at({at[0], at[1], j}))));
    g.kernel(name, kernel);
  };
  product(
      "Scores", scores, q,
      [&](const Indices& at, const Index& i) {
        return k.at({at[0], at[2], i});
      },
      [&](const Expr& sum, const Indices& at) {
        return sum * form.scale + number(form.offset) +
               Expr::cases({{{{at[1], 1, kQueries}}, number(0)}}, number(-kInfinity));
      });
  const auto same = [](const Expr& x) { return x; };
  reduced("Greatest", most, Combiner::max, same, scores);
  g.map("Power", power, [&](const Indices& at) {
    return form.power(scores.at(at), most.at({at[0], at[1], 0}));
  });
  if (form.ones != 0) {
    const Operand ones = g.value("ones", {kKeys, 1});
    HostTensor tensor = make_tensor(Type::f32, {kKeys, 1}, std::vector<double>(kKeys, form.ones));
    g.graph.values.back().kind = ValueKind::constant;
    g.graph.values.back().constant = to_constant(tensor);
    product(
        "Total", total, power,
        [&](const Indices& at, const Index& i) {
          return ones.at({i, at[2]});
        },
        itself);
  } else {
    reduced("Total", total, Combiner::sum, same, power);
  }
  std::function<Expr(const Indices&, const Expr&)> guard = [](const Indices&, const Expr& w) {
    return w;
  };
  if (form.asks != Asks::nobody) {
    const Type type = form.asks == Asks::how_many_seen ? Type::f32 : Type::i64;
    const Operand asked = g.value("asked", {2, kQueries, 1}, type);
    const Combiner how = form.asks == Asks::all_masked ? Combiner::min
                         : form.asks == Asks::any_seen ? Combiner::max
                                                       : Combiner::sum;
    const auto question = [&](const Expr& score) {
      const Expr masked = compare(Binary::eq, score, number(-kInfinity));
      return Expr::cast(
          type, form.asks == Asks::all_masked ? masked : Expr::unary(Unary::logical_not, masked));
    };
    reduced("Asked", asked, how, question, scores);
    guard = [&form, asked](const Indices& at, const Expr& w) {
      const Expr one = asked.at({at[0], at[1], 0});
      if (form.asks == Asks::how_many_seen)
        return Expr::select(compare(Binary::gt, one, number(0)), w, number(0));
      const Expr truth = Expr::cast(Type::boolean, one);
      return form.asks == Asks::all_masked ? Expr::select(truth, number(0), w)
                                           : Expr::select(truth, w, number(0));
    };
  }
  g.map("Weights", weights, [&](const Indices& at) {
    return guard(at, power.at(at) / total.at({at[0], at[1], 0}));
  });
  product(
      "Sums", y, weights,
      [&](const Indices& at, const Index& i) {
        return v.at({at[0], i, at[2]});
      },
      itself);
  return g.graph;
}

Expr power_of(double base, const Expr& exponent) {
  return Expr::binary(Binary::pow, number(base), exponent);
}

const Spelling kSpellings[] = {
    {.name = "power_of_two",
     .power = [](const Expr& s, const Expr& m) { return power_of(2, s - m); },
     .fast = true},
    {"power_of_e", [](const Expr& s, const Expr& m) { return power_of(std::exp(1.0), s - m); }},
    {"scaled_power",
     [](const Expr& s, const Expr& m) { return power_of(2, (s - m) * 1.4426950408889634); }},
    {.name = "divided",
     .power = [](const Expr& s, const Expr& m) { return Expr::unary(Unary::exp, (s - m) / 4); },
     .fast = true},
    {.name = "guarded_greatest",
     .power =
         [](const Expr& s, const Expr& m) {
           const Expr masked = compare(Binary::eq, m, number(-kInfinity));
           return power_of(2, s - Expr::select(masked, number(0), m));
         },
     .fast = true},
    {.name = "ones", .ones = 1},
    {.name = "power_and_ones",
     .power = [](const Expr& s, const Expr& m) { return power_of(2, s - m); },
     .ones = 1,
     .fast = true},
    {.name = "all_masked", .asks = Asks::all_masked},
    {.name = "any_seen", .asks = Asks::any_seen},
    {.name = "how_many_seen", .asks = Asks::how_many_seen},
    {.name = "power_of_a_half",
     .power = [](const Expr& s, const Expr& m) { return power_of(0.5, s - m); },
     .joins = false},
};

void PrintTo(const Spelling& form, std::ostream* out) { *out << form.name; }

class AttentionExponents : public testing::TestWithParam<Spelling> {};

TEST_P(AttentionExponents, AreOneKernel) {
  GraphFixture g;
  const KernelGraph graph = attention(g, GetParam());
  FuseOptions options;
  EXPECT_EQ(count_kernels(fuse(graph, options)) == 1, GetParam().joins && !GetParam().fast);
  options.fast_math = GetParam().fast;
  const KernelGraph fused = fuse(graph, options);
  EXPECT_EQ(count_kernels(fused) == 1, GetParam().joins) << to_string(fused);
  if (GetParam().joins) {
    const std::optional<AttentionForm> form =
        find_attention(std::get<Kernel>(fused.steps[0]), fused.values);
    ASSERT_TRUE(form) << to_string(fused);
    EXPECT_EQ(form->empty,
              GetParam().asks == Asks::nobody ? EmptyRows::nan : EmptyRows::zero_if_masked);
  }
  const std::vector<HostTensor> inputs = sample_inputs(graph, {});
  const RunResult x = interpret(graph, inputs, {}), y = interpret(fused, inputs, {});
  ASSERT_EQ(y.status, kRunOk) << y.message;
  for (int64_t i = 0; i < x.outputs[0].elements(); ++i) {
    const double a = x.outputs[0].get(i).number, b = y.outputs[0].get(i).number;
    EXPECT_TRUE((std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= 1e-5 * (1 + std::fabs(a)))
        << a << ' ' << b;
    const bool masked = i / kElements % kQueries == 0;
    if (!masked) continue;
    if (GetParam().asks == Asks::nobody) {
      EXPECT_TRUE(std::isnan(b));
    } else {
      EXPECT_EQ(b, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AttentionExponents, testing::ValuesIn(kSpellings),
                         [](const auto& info) { return info.param.name; });

// Scores under a mask of 1e9 have lost all digits but the first; a power of two of their difference
// is exact, and one of scaled scores would be anything.
TEST(AttentionExponentsApart, ScoresFarFromZeroKeepTheirDifferences) {
  GraphFixture g;
  const KernelGraph graph =
      attention(g, {.name = "far",
                    .power = [](const Expr& s, const Expr& m) { return power_of(2, (s - m) / 64); },
                    .scale = 16,
                    .offset = -1e9});
  const std::vector<HostTensor> inputs = sample_inputs(graph, {});
  const RunResult x = interpret(graph, inputs, {}), y = interpret(fuse(graph, {}), inputs, {});
  ASSERT_EQ(y.status, kRunOk) << y.message;
  for (int64_t i = 0; i < x.outputs[0].elements(); ++i) {
    const double a = x.outputs[0].get(i).number, b = y.outputs[0].get(i).number;
    EXPECT_TRUE((std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= 1e-6 * (1 + std::fabs(a)))
        << a << ' ' << b;
  }
}

// Sums of other numbers are gains, and what else reads the greatest score sees the model's.
TEST(AttentionExponentsApart, WhatOnlyLooksLikeIt) {
  GraphFixture g;
  const KernelGraph graph = attention(g, {.name = "twos", .ones = 2});
  const KernelGraph fused = fuse(graph, {});
  const Kernel& last = std::get<Kernel>(fused.steps.back());
  EXPECT_FALSE(with_plain_exponents(last, fused.values, true));
}

}  // namespace
}  // namespace burin::attention_exponents_test

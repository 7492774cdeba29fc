// What exporters do to the weights of attention behind its softmax: what gives every weight back is
// part of the one kernel, whatever it is called; what does not keeps its place.
#include "fuse/attention/attention_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "fuse/attention/attention_form.h"
#include "fuse/fuse.h"
#include "graph_fixture.h"

namespace burin::attention_weights_test {
namespace {

constexpr int64_t kQueries = 6, kKeys = 5, kDepth = 8, kElements = 3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Expr number(double value) { return Expr::constant(Type::f32, value); }
Expr is_nan(const Expr& x) { return Expr::unary(Unary::is_nan, x); }
Expr is_inf(const Expr& x) { return Expr::unary(Unary::is_inf, x); }
Expr both(const Expr& a, const Expr& b) { return Expr::binary(Binary::logical_and, a, b); }

struct Weights {
  const char* name;
  std::function<Expr(const Expr&)> behind;  // the softmax, or the exponent where `flash`
  EmptyRows empty = EmptyRows::nan;
  Type tensors = Type::f32;  // Q, K, V and the result
  Type weights = Type::f32;  // as the product reads them
  bool flash = false;        // (sum of e * V) / z
  bool reciprocal = false;   // times 1 / z
  bool symbols = false;
};

Expr same(const Expr& w) { return w; }
Expr as_fp16(const Expr& w) { return Expr::cast(Type::f16, w); }
Expr as_brain(const Expr& w) { return Expr::cast(Type::bf16, w); }
Expr through_double(const Expr& w) { return Expr::cast(Type::f32, Expr::cast(Type::f64, w)); }
Expr nan_to_zero(const Expr& w) { return Expr::select(is_nan(w), number(0), w); }
Expr unequal_to_zero(const Expr& w) {
  return Expr::select(compare(Binary::ne, w, w), number(0), w);
}
Expr numbers_only(const Expr& w) {
  const Expr bad = Expr::binary(Binary::logical_or, is_nan(w), is_inf(Expr::cast(Type::f64, w)));
  return Expr::select(Expr::unary(Unary::logical_not, bad), w, number(0));
}
// torch.nan_to_num, the three replacements one after the other, and from the inside out.
Expr nan_to_num(const Expr& w) {
  const auto clipped = [](const Expr& x, Binary side, double end) {
    return Expr::select(both(is_inf(Expr::cast(Type::f64, x)), compare(side, x, number(0))),
                        number(end), x);
  };
  return clipped(clipped(nan_to_zero(w), Binary::gt, 3e38), Binary::lt, -3e38);
}
Expr nested_nan_to_num(const Expr& w) {
  const Expr high = both(compare(Binary::gt, w, number(0)), is_inf(w)),
             low = both(compare(Binary::lt, w, number(0)), is_inf(w));
  return Expr::select(high, number(3e38), Expr::select(low, number(-3e38), nan_to_zero(w)));
}

// The first query is masked everywhere.
KernelGraph attention(GraphFixture& g, const Weights& form) {
  const Dim queries = form.symbols ? sized("queries") : Dim(kQueries);
  const Dim keys = form.symbols ? sized("keys") : Dim(kKeys);
  const Operand q = g.input("q", {2, queries, kDepth}, form.tensors),
                k = g.input("k", {2, keys, kDepth}, form.tensors),
                v = g.input("v", {2, keys, kElements}, form.tensors),
                scores = g.value("scores", {2, queries, keys}),
                most = g.value("most", {2, queries, 1}), total = g.value("total", {2, queries, 1}),
                power = g.value("power", {2, queries, keys}),
                weights = g.value("weights", {2, queries, keys}, form.weights),
                sums = g.value("sums", {2, queries, kElements}, form.tensors),
                y = g.output("y", {2, queries, kElements}, form.tensors);
  if (form.symbols) g.graph.symbols = {queries.as_symbol(), keys.as_symbol()};
  const auto product = [&](const char* name, const Operand& to, const Operand& a, const Operand& b,
                           bool turned) {
    KernelBuilder kernel;
    const Indices at = kernel.axes(to.shape());
    const Index i = kernel.reduce_axis(a.dim(2));
    const Expr other = turned ? b.at({at[0], at[2], i}) : b.at({at[0], i, at[2]});
    kernel.write(to, at, kernel.reduce(Combiner::sum, {i}, a.at({at[0], at[1], i}) * other));
    g.kernel(name, kernel);
  };
  const auto reduced = [&](const char* name, const Operand& to, Combiner how, const Operand& x) {
    KernelBuilder kernel;
    const Indices at = kernel.axes({2, queries});
    const Index j = kernel.reduce_axis(keys);
    kernel.write(to, {at[0], at[1], 0}, kernel.reduce(how, {j}, x.at({at[0], at[1], j})));
    g.kernel(name, kernel);
  };
  const auto divided = [&](const Expr& x, const Indices& at) {
    const Expr z = total.at({at[0], at[1], 0});
    return form.reciprocal ? x * (1.0 / z) : x / z;
  };
  const Operand masked = g.value("masked", scores.shape());
  product("MatMul", scores, q, k, true);
  g.map("Trilu", masked, [&](const Indices& at) {
    return Expr::cases({{{{at[1] - at[2] - 1, 0, queries}}, scores.at(at) * 0.125}},
                       number(-kInfinity));
  });
  reduced("ReduceMax", most, Combiner::max, masked);
  g.map("Exp", power, [&](const Indices& at) {
    return Expr::unary(Unary::exp, masked.at(at) - most.at({at[0], at[1], 0}));
  });
  reduced("ReduceSum", total, Combiner::sum, power);
  if (form.flash) {
    g.map("Behind", weights, [&](const Indices& at) { return form.behind(power.at(at)); });
    product("MatMul", sums, weights, v, false);
    g.map("Div", y, [&](const Indices& at) { return divided(sums.at(at), at); });
  } else {
    g.map("Behind", weights,
          [&](const Indices& at) { return form.behind(divided(power.at(at), at)); });
    product("MatMul", y, weights, v, false);
  }
  return g.graph;
}

// Up to roundings to the type of the outputs.
void expect_close(const KernelGraph& a, const KernelGraph& b, double tolerance,
                  const std::map<std::string, int64_t>& symbols) {
  const std::vector<HostTensor> inputs = sample_inputs(a, symbols);
  const RunResult x = interpret(a, inputs, symbols), y = interpret(b, inputs, symbols);
  ASSERT_EQ(x.status, kRunOk) << x.message;
  ASSERT_EQ(y.status, kRunOk) << y.message;
  ASSERT_EQ(x.outputs.at(0).shape, y.outputs.at(0).shape);
  for (int64_t i = 0; i < x.outputs[0].elements(); ++i) {
    const double one = x.outputs[0].get(i).number, other = y.outputs[0].get(i).number;
    ASSERT_EQ(std::isnan(one), std::isnan(other)) << i;
    if (!std::isnan(one)) {
      ASSERT_NEAR(one, other, tolerance * (1 + std::fabs(one))) << i;
    }
  }
}

double tolerance_of(Type type) {
  return type == Type::f16 ? 0x1p-9 : type == Type::bf16 ? 0x1p-6 : 0x1p-21;
}

class AttentionWeights : public testing::TestWithParam<Weights> {};

TEST_P(AttentionWeights, AreOneKernel) {
  const Weights& form = GetParam();
  GraphFixture g;
  const KernelGraph graph = attention(g, form), fused = fuse(graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const auto found = find_attention(std::get<Kernel>(fused.steps[0]), fused.values);
  ASSERT_TRUE(found.has_value()) << to_string(fused);
  EXPECT_EQ(found->empty, form.empty);
  expect_close(graph, fused, tolerance_of(form.tensors), {{"queries", 7}, {"keys", 4}});
}

INSTANTIATE_TEST_SUITE_P(
    Exporters, AttentionWeights,
    testing::Values(
        Weights{.name = "half", .behind = as_fp16, .tensors = Type::f16, .weights = Type::f16},
        Weights{.name = "half_symbols",
                .behind = as_fp16,
                .tensors = Type::f16,
                .weights = Type::f16,
                .symbols = true},
        Weights{.name = "brain", .behind = as_brain, .tensors = Type::bf16, .weights = Type::bf16},
        Weights{.name = "half_of_brain",
                .behind = as_fp16,
                .tensors = Type::bf16,
                .weights = Type::f32},
        Weights{.name = "half_guarded",
                .behind = [](const Expr& w) { return nan_to_zero(as_fp16(w)); },
                .empty = EmptyRows::zero_if_nan,
                .tensors = Type::f16,
                .weights = Type::f16},
        Weights{.name = "through_double", .behind = through_double},
        Weights{.name = "flash", .behind = same, .flash = true},
        Weights{.name = "flash_reciprocal", .behind = same, .flash = true, .reciprocal = true},
        Weights{.name = "flash_symbols", .behind = same, .flash = true, .symbols = true},
        Weights{.name = "flash_half",
                .behind = as_fp16,
                .tensors = Type::f16,
                .weights = Type::f16,
                .flash = true},
        // Zeros for NaN, but then divided by a total of NaN.
        Weights{.name = "flash_guarded", .behind = nan_to_zero, .flash = true},
        Weights{.name = "nan", .behind = nan_to_zero, .empty = EmptyRows::zero_if_nan},
        Weights{.name = "unequal", .behind = unequal_to_zero, .empty = EmptyRows::zero_if_nan},
        Weights{.name = "numbers_only", .behind = numbers_only, .empty = EmptyRows::zero_if_nan},
        Weights{.name = "nan_to_num", .behind = nan_to_num, .empty = EmptyRows::zero_if_nan},
        Weights{.name = "nan_to_num_symbols",
                .behind = nan_to_num,
                .empty = EmptyRows::zero_if_nan,
                .reciprocal = true,
                .symbols = true},
        Weights{.name = "nested", .behind = nested_nan_to_num, .empty = EmptyRows::zero_if_nan}),
    [](const auto& info) { return std::string(info.param.name); });

class OtherWeights : public testing::TestWithParam<Weights> {};

TEST_P(OtherWeights, StayATensor) {
  GraphFixture g;
  const KernelGraph graph = attention(g, GetParam()), fused = fuse(graph, {});
  EXPECT_GE(count_kernels(fused), 3) << to_string(fused);
  expect_close(graph, fused, tolerance_of(GetParam().tensors), {});
}

INSTANTIATE_TEST_SUITE_P(
    Near, OtherWeights,
    testing::Values(
        // The result is finer than the rounding, which shows in it.
        Weights{.name = "half_in_floats", .behind = as_fp16},
        Weights{.name = "brain_in_halves", .behind = as_brain, .tensors = Type::f16},
        // 8 bits do not round to a last place or so: they are what the model means.
        Weights{.name = "eight_bits",
                .behind = [](const Expr& w) { return Expr::cast(Type::f8e4m3fn, w); },
                .tensors = Type::f16},
        // Small weights are cut off, greater ones clipped.
        Weights{.name = "threshold",
                .behind =
                    [](const Expr& w) {
                      return Expr::select(compare(Binary::lt, w, number(0.25)), number(0), w);
                    }},
        Weights{.name = "clipped", .behind = [](const Expr& w) { return min(w, number(0.5)); }},
        // NaN becomes what is neither NaN nor 0.
        Weights{.name = "nan_is_one",
                .behind = [](const Expr& w) { return Expr::select(is_nan(w), number(1), w); }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(AttentionWeights, StayRoundedWhereTheRewriteIsOff) {
  GraphFixture g;
  const Weights form{.name = "", .behind = as_fp16, .tensors = Type::f16, .weights = Type::f16};
  const KernelGraph graph = attention(g, form);
  FuseOptions off;
  off.fp16_weights = false;
  EXPECT_GE(count_kernels(fuse(graph, off)), 3);
}

// What the exponents add up to is another sum's business too.
TEST(AttentionWeights, StayATensorWhereTheirTotalIsAnOutput) {
  GraphFixture g;
  const KernelGraph graph = [&] {
    attention(g, {.name = "", .behind = same, .flash = true});
    const auto total = std::find_if(g.graph.values.begin(), g.graph.values.end(),
                                    [](const Value& one) { return one.name == "total"; });
    total->kind = ValueKind::output;
    g.graph.outputs.push_back(static_cast<ValueId>(total - g.graph.values.begin()));
    return g.graph;
  }();
  EXPECT_GE(count_kernels(fuse(graph, {})), 3);
}

}  // namespace
}  // namespace burin::attention_weights_test

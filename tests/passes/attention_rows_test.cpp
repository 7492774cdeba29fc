// Weights of attention that are linear in the exponents of its scores are part of the one kernel:
// masks and gains behind the softmax, sums of other things, columns that only take a part of them.
// Rows without any number give what they gave.
#include "fuse/attention/attention_rows.h"

#include <cmath>
#include <functional>
#include <limits>

#include "fuse/attention/attention_form.h"
#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "select/choose.h"
#include "small_hardware.h"

namespace burin::attention_rows_test {
namespace {

constexpr int64_t kQueries = 6, kKeys = 5, kDepth = 8, kElements = 3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Expr number(double value) { return Expr::constant(Type::f32, value); }
Expr exp(const Expr& x) { return Expr::unary(Unary::exp, x); }

// What a row of scores becomes, key by key, inside of one kernel.
using Weigh = std::function<Expr(KernelBuilder&, const Operand& scores, const Indices& at,
                                 const Operand& mask, const Operand& gain)>;

Expr softmax(KernelBuilder& kernel, const Operand& scores, const Indices& at) {
  const Expr most = kernel.reduce(Combiner::max, {at[2]}, scores.at(at));
  const Expr power = exp(scores.at(at) - most);
  return power / kernel.reduce(Combiner::sum, {at[2]}, power);
}

struct Rows {
  const char* name;
  Weigh weigh;
  int64_t before = 0, behind = 0;  // sinks
  bool gained = false, selects = false;
  bool divides_behind = false;  // a factor of the row, behind the weighted sum
};

// Query 0 is masked everywhere; the first one here is number `first`.
KernelGraph attention(GraphFixture& g, const Rows& rows, int64_t queries = kQueries,
                      int64_t first = 0) {
  const int64_t all = kKeys + rows.before + rows.behind;
  const Operand q = g.input("q", {2, queries, kDepth}), k = g.input("k", {2, kKeys, kDepth}),
                v = g.input("v", {2, kKeys, kElements}), mask = g.input("mask", {queries, kKeys}),
                gain = g.input("gain", {2}), sinks = g.input("sinks", {2, 3}),
                scores = g.value("scores", {2, queries, kKeys}),
                masked = g.value("masked", {2, queries, kKeys}),
                weights = g.value("weights", {2, queries, all}),
                kept = g.value("kept", {2, queries, kKeys}),
                y = g.output("y", {2, queries, kElements});
  const auto product = [&](const Operand& to, const Operand& a, const Operand& b, bool turned) {
    KernelBuilder kernel;
    const Indices at = kernel.axes(to.shape());
    const Index i = kernel.reduce_axis(a.dim(2));
    const Expr other = turned ? b.at({at[0], at[2], i}) : b.at({at[0], i, at[2]});
    kernel.write(to, at, kernel.reduce(Combiner::sum, {i}, a.at({at[0], at[1], i}) * other));
    g.kernel("MatMul", kernel);
  };
  product(scores, q, k, true);
  g.map("Trilu", masked, [&](const Indices& at) {
    return Expr::cases({{{{at[1] - at[2] + (first - 1), 0, kQueries}}, scores.at(at) * 0.125}},
                       number(-kInfinity));
  });
  Operand joined = masked;
  if (all > kKeys) {
    joined = g.value("joined", {2, queries, all});
    g.map("Concat", joined, [&](const Indices& at) {
      const Index key = at[2] - rows.before;
      return Expr::cases({{{{key, 0, kKeys}}, masked.at({at[0], at[1], key})}},
                         sinks.at({at[0], mod(at[2], 3)}));
    });
  }
  KernelBuilder kernel;
  const Indices at = kernel.axes({2, queries, all});
  kernel.write(weights, at, rows.weigh(kernel, joined, at, mask, gain));
  g.kernel("Weights", kernel);
  g.map("Slice", kept, [&](const Indices& at) {
    return weights.at({at[0], at[1], at[2] + rows.before});
  });
  if (!rows.divides_behind) {
    product(y, kept, v, false);
    return g.graph;
  }
  const Operand sums = g.value("sums", y.shape());
  product(sums, kept, v, false);
  g.map("Div", y, [&](const Indices& at) { return sums.at(at) / gain.at({at[0]}) + 1.0; });
  return g.graph;
}

void expect_close(const HostTensor& a, const HostTensor& b) {
  for (int64_t i = 0; i < a.elements(); ++i) {
    const double one = a.get(i).number, other = b.get(i).number;
    ASSERT_EQ(std::isnan(one), std::isnan(other)) << i;
    if (!std::isnan(one)) {
      ASSERT_NEAR(one, other, 0x1p-20 * (1 + std::fabs(one))) << i;
    }
  }
}

void expect_close(const KernelGraph& a, const KernelGraph& b) {
  const std::vector<HostTensor> inputs = sample_inputs(a, {});
  const RunResult x = interpret(a, inputs, {}), y = interpret(b, inputs, {});
  ASSERT_EQ(x.status, kRunOk) << x.message;
  ASSERT_EQ(y.status, kRunOk) << y.message;
  expect_close(x.outputs.at(0), y.outputs.at(0));
}

// The program of the only kernel against the graph; with `broken`, a query has a NaN and another
// one is so large that its scores are infinite.
void expect_program(const KernelGraph& graph, const Selection& selection, bool broken) {
  std::vector<HostTensor> inputs = sample_inputs(graph, {});
  const int64_t queries = inputs[0].shape[1];
  if (broken) {
    inputs[0].set(kDepth * (queries - 1), {std::nan(""), 0});
    if (queries > 3) inputs[0].set(kDepth * 3 + 1, {3e38, 0});
  }
  const RunResult wanted = interpret(graph, inputs, {});
  ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
  const loops::Program& program = *selection.kernels.at(StepId{0}).program;
  EXPECT_EQ(loops::verify(program), std::vector<std::string>());
  Environment environment;
  for (size_t k = 0; k < inputs.size(); ++k) environment.tensors[graph.inputs[k]] = inputs[k];
  const RunResult run = loops::run_loops(program, selection.graph.values, environment);
  ASSERT_EQ(run.status, kRunOk) << run.message;
  expect_close(wanted.outputs.at(0),
               environment.tensor(selection.graph.values, graph.outputs.at(0)));
}

class AttentionRows : public testing::TestWithParam<Rows> {};

TEST_P(AttentionRows, AreOneKernel) {
  const Rows& rows = GetParam();
  GraphFixture g;
  const KernelGraph graph = attention(g, rows), fused = fuse(graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const auto found = find_attention(std::get<Kernel>(fused.steps[0]), fused.values);
  ASSERT_TRUE(found.has_value()) << to_string(fused);
  EXPECT_TRUE(found->factor);
  EXPECT_EQ(found->gained >= 0, rows.gained);
  EXPECT_EQ(found->selects, rows.selects);
  expect_close(graph, fused);
}

TEST_P(AttentionRows, AreComputedInBlocks) {
  GraphFixture g;
  KernelGraph fused = fuse(attention(g, GetParam()), {});
  const KernelGraph before = fused;
  const Hardware hardware = small_hardware({{128, 4, 64, 1}});
  const LoopPlans chosen = choose_loops(std::move(fused), hardware);
  ASSERT_TRUE(chosen.plans.at(StepId{0}).attention.has_value());
  const LoopPlan& schedule = chosen.plans.at(StepId{0});
  const Selection selection = with_programs(chosen, hardware);
  EXPECT_EQ(schedule.attention->result + 1, static_cast<int>(schedule.kernel.lets.size()));
  // The form's reductions mean the same, and so do the blocks.
  expect_close(before, selection.graph);
  expect_program(before, selection, false);
  expect_program(before, selection, true);
}

// One query, which sees one key or some, or is no number.
TEST_P(AttentionRows, AreComputedForOneQuery) {
  for (const int64_t first : {1, 3}) {
    GraphFixture g;
    KernelGraph fused = fuse(attention(g, GetParam(), 1, first), {});
    const KernelGraph before = fused;
    const Hardware hardware = small_hardware({{128, 4, 64, 1}});
    const LoopPlans chosen = choose_loops(std::move(fused), hardware);
    ASSERT_TRUE(chosen.plans.at(StepId{0}).attention.has_value()) << first;
    ASSERT_FALSE(chosen.plans.at(StepId{0}).attention->tiled) << first;
    const Selection selection = with_programs(chosen, hardware);
    expect_program(before, selection, false);
    expect_program(before, selection, true);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Exporters, AttentionRows,
    testing::Values(
        Rows{.name = "mask",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                    const Operand& mask, const Operand&) {
                   return softmax(kernel, scores, at) * mask.at({at[1], at[2]});
                 }},
        Rows{.name = "head_gain",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at, const Operand&,
                    const Operand& gain) {
                   return gain.at({at[0]}) * (softmax(kernel, scores, at) / 0.75);
                 }},
        Rows{.name = "gain_behind",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                    const Operand& mask, const Operand&) {
                   return softmax(kernel, scores, at) * mask.at({at[1], at[2]});
                 },
             .divides_behind = true},
        // Keys that are left out of a row of NaN give 0, whatever the others give.
        Rows{.name = "left_out",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                    const Operand& mask, const Operand&) {
                   return Expr::select(compare(Binary::gt, mask.at({at[1], at[2]}), number(-2)),
                                       number(0), softmax(kernel, scores, at));
                 },
             .selects = true},
        Rows{.name = "sums_to_one_again",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                    const Operand& mask, const Operand&) {
                   const Expr some = softmax(kernel, scores, at) * mask.at({at[1], at[2]});
                   return some / (kernel.reduce(Combiner::sum, {at[2]}, some) + 0.001);
                 },
             .gained = true},
        Rows{.name = "masked_before_the_sum",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                    const Operand& mask, const Operand&) {
                   const Expr some = exp(scores.at(at)) * mask.at({at[1], at[2]});
                   return some / (kernel.reduce(Combiner::sum, {at[2]}, some) + 1.0);
                 },
             .gained = true},
        // Without a greatest score a row that is masked everywhere has exponents of 0.
        Rows{.name = "bare",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at, const Operand&,
                    const Operand&) {
                   const Expr power = exp(scores.at(at));
                   return power / (kernel.reduce(Combiner::sum, {at[2]}, power) + 1.0);
                 }},
        Rows{.name = "bare_sum",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at, const Operand&,
                    const Operand&) {
                   const Expr power = exp(scores.at(at));
                   return power / kernel.reduce(Combiner::sum, {at[2]}, power);
                 }},
        Rows{.name = "little_more",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at, const Operand&,
                    const Operand&) {
                   const Expr most = kernel.reduce(Combiner::max, {at[2]}, scores.at(at));
                   const Expr power = exp(scores.at(at) - most);
                   return power / (kernel.reduce(Combiner::sum, {at[2]}, power) + 0.001);
                 }},
        Rows{.name = "logarithm",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at, const Operand&,
                    const Operand&) {
                   const Expr most = kernel.reduce(Combiner::max, {at[2]}, scores.at(at));
                   const Expr shifted = scores.at(at) - most;
                   const Expr total = kernel.reduce(Combiner::sum, {at[2]}, exp(shifted));
                   return exp(shifted - Expr::unary(Unary::log, total));
                 }},
        Rows{.name = "sink",
             .weigh = [](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                         const Operand&, const Operand&) { return softmax(kernel, scores, at); },
             .behind = 1},
        Rows{.name = "sinks_on_both_sides",
             .weigh = [](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                         const Operand&, const Operand&) { return softmax(kernel, scores, at); },
             .before = 2,
             .behind = 1},
        Rows{.name = "sink_shifted_twice",
             .weigh =
                 [](KernelBuilder& kernel, const Operand& scores, const Indices& at, const Operand&,
                    const Operand&) {
                   const Expr shifted =
                       scores.at(at) - kernel.reduce(Combiner::max, {at[2]}, scores.at(at));
                   const Expr most = kernel.reduce(Combiner::max, {at[2]}, shifted);
                   const Expr power = exp(shifted - most);
                   return power / kernel.reduce(Combiner::sum, {at[2]}, power);
                 },
             .behind = 1}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(AttentionRows, OtherFunctionsOfTheWeightsStayApart) {
  const auto count = [](const Weigh& weigh) {
    GraphFixture g;
    const KernelGraph graph = attention(g, {.name = "other", .weigh = weigh}),
                      fused = fuse(graph, {});
    expect_close(graph, fused);
    return count_kernels(fused);
  };
  // Not linear; the sum of something else; the greatest of something else.
  EXPECT_GE(
      count([](KernelBuilder& kernel, const Operand& scores, const Indices& at, const Operand&,
               const Operand&) { return max(softmax(kernel, scores, at), number(0.25)); }),
      2);
  EXPECT_GE(count([](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                     const Operand&, const Operand&) {
              const Expr power = exp(scores.at(at));
              return power / kernel.reduce(Combiner::sum, {at[2]}, power * power);
            }),
            2);
  EXPECT_GE(count([](KernelBuilder& kernel, const Operand& scores, const Indices& at,
                     const Operand&, const Operand&) {
              const Expr most = kernel.reduce(Combiner::max, {at[2]}, scores.at(at) * 2.0);
              const Expr power = exp(scores.at(at) - most);
              return power / kernel.reduce(Combiner::sum, {at[2]}, power);
            }),
            2);
}

}  // namespace
}  // namespace burin::attention_rows_test

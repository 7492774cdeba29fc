// Attention: every form that exporters write becomes one kernel without a tensor of scores, with
// the same numbers; what only looks like it stays. The schedule's blocks cover what they must.
#include <limits>

#include "fuse/attention/attention_form.h"
#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "select/products/attention_schedule.h"
#include "small_hardware.h"

namespace burin::attention_test {
namespace {

constexpr int64_t kBatch = 2, kHeads = 4, kQueries = 6, kKeys = 5, kDepth = 8, kElements = 3;

struct Form {
  const char* name;
  bool scale_on_q = false, scale_on_k = false, divides = false;
  bool mask = false, boolean_mask = false, causal = false, cap = false;
  bool flat_batch = false;        // batch and heads as one dimension, as a batched product has them
  bool heads_in_columns = false;  // [batch, position, head * size]
  int64_t shared = 1;             // query heads of one key head
  bool primitive = false;         // softmax as Max, Sub, Exp, Sum, Div
  bool guard = false;             // NaN weights become 0
};

Expr number(double value) { return Expr::constant(Type::f32, value); }

// q, k and v as the operators of an exporter bring them, then scores, softmax and the weighted sum.
class Writer {
 public:
  explicit Writer(const Form& form) : form_(form) {}

  const KernelGraph& run(bool reads_scores = false) {
    const int64_t heads = kHeads, kv = kHeads / form_.shared;
    Operand q = projected("q", heads, kQueries, kDepth), k = projected("k", kv, kKeys, kDepth),
            v = projected("v", kv, kKeys, kElements);
    if (form_.shared > 1) {
      k = repeated("k_repeated", k);
      v = repeated("v_repeated", v);
    }
    if (form_.scale_on_q) q = scaled("q_scaled", q);
    if (form_.scale_on_k) k = scaled("k_scaled", k);
    const Operand scores = apart(masked(product(q, k)));
    const Operand weights = softmax(scores);
    weighted_sum(weights, v);
    if (reads_scores) {
      const Operand more = g_.output("more", scores.shape());
      g_.map("Again", more, [&](const Indices& at) { return scores.at(at) + 1.0; });
    }
    return g_.graph;
  }

 private:
  Operand projected(const std::string& name, int64_t heads, int64_t length, int64_t size) {
    if (!form_.heads_in_columns) return g_.input(name, {kBatch, heads, length, size});
    const Operand x = g_.input(name, {kBatch, length, heads * size}),
                  turned = g_.value(name + "_heads", {kBatch, heads, length, size});
    g_.map("Transpose", turned, [&](const Indices& at) {
      return x.at({at[0], at[2], at[1] * size + at[3]});
    });
    return turned;
  }

  Operand repeated(const std::string& name, const Operand& x) {
    const Operand y = g_.value(name, {x.dim(0), kHeads, x.dim(2), x.dim(3)});
    g_.map("Expand", y, [&](const Indices& at) {
      return x.at({at[0], floordiv(at[1], form_.shared), at[2], at[3]});
    });
    return y;
  }

  Operand scaled(const std::string& name, const Operand& x) {
    const Operand y = g_.value(name, x.shape());
    g_.map("Mul", y, [&](const Indices& at) { return x.at(at) * 0.625; });
    return y;
  }

  Operand product(const Operand& q, const Operand& k) {
    if (form_.flat_batch) {
      const Operand a = joined_batch("q_flat", q), b = joined_batch("k_flat", k);
      const Operand y = g_.value("scores", {kBatch * kHeads, kQueries, kKeys});
      KernelBuilder kernel;
      const Indices at = kernel.axes(y.shape());
      const Index d = kernel.reduce_axis(kDepth);
      kernel.write(
          y, at,
          kernel.reduce(Combiner::sum, {d}, a.at({at[0], at[1], d}) * b.at({at[0], at[2], d})));
      g_.kernel("MatMul", kernel);
      return y;
    }
    const Operand y = g_.value("scores", {kBatch, kHeads, kQueries, kKeys});
    KernelBuilder kernel;
    const Indices at = kernel.axes(y.shape());
    const Index d = kernel.reduce_axis(kDepth);
    kernel.write(y, at,
                 kernel.reduce(Combiner::sum, {d},
                               q.at({at[0], at[1], at[2], d}) * k.at({at[0], at[1], at[3], d})));
    g_.kernel("MatMul", kernel);
    return y;
  }

  Operand joined_batch(const std::string& name, const Operand& x) {
    const Operand y = g_.value(name, {kBatch * kHeads, x.dim(2), x.dim(3)});
    g_.map("Reshape", y, [&](const Indices& at) {
      return x.at({floordiv(at[0], kHeads), mod(at[0], kHeads), at[1], at[2]});
    });
    return y;
  }

  // [batch, heads, queries, keys] again.
  Operand apart(const Operand& x) {
    if (x.rank() == 4) return x;
    const Operand y = g_.value("scores_apart", {kBatch, kHeads, kQueries, kKeys});
    g_.map("Reshape", y, [&](const Indices& at) {
      return x.at({at[0] * kHeads + at[1], at[2], at[3]});
    });
    return y;
  }

  Operand masked(Operand x) {
    const auto step = [&](const char* op, const auto& value) {
      const Operand y = g_.value(std::string(op) + std::to_string(++steps_), x.shape());
      g_.map(op, y, [&](const Indices& at) { return value(at); });
      x = y;
    };
    if (form_.divides) step("Div", [&](const Indices& at) { return x.at(at) / 2.5; });
    if (form_.cap) {
      step("Div", [&](const Indices& at) { return x.at(at) / 5.0; });
      step("Tanh", [&](const Indices& at) { return Expr::unary(Unary::tanh, x.at(at)); });
      step("Mul", [&](const Indices& at) { return x.at(at) * 5.0; });
    }
    if (x.rank() == 3) x = apart(x);
    const double least = -std::numeric_limits<double>::infinity();
    if (form_.mask) {
      const Operand mask = g_.input("mask", {kBatch, 1, 1, kKeys});
      step("Add", [&](const Indices& at) { return x.at(at) + mask.at({at[0], 0, 0, at[3]}); });
    }
    if (form_.boolean_mask) {
      const Operand mask = g_.input("mask", {kQueries, kKeys});
      step("Where", [&](const Indices& at) {
        return Expr::select(compare(Binary::gt, mask.at({at[2], at[3]}), number(-3)), x.at(at),
                            number(least));
      });
    }
    if (form_.causal) {
      step("Trilu", [&](const Indices& at) {
        return Expr::cases({{{{at[2] - at[3], 0, kQueries}}, x.at(at)}}, number(least));
      });
    }
    return x;
  }

  Operand softmax(const Operand& x) {
    const Operand y = g_.value("weights", x.shape());
    if (form_.primitive) return primitive_softmax(x, y);
    KernelBuilder kernel;
    const Indices at = kernel.axes(x.shape());
    const Expr most = kernel.reduce(Combiner::max, {at[3]}, x.at(at));
    const Expr power = Expr::unary(Unary::exp, x.at(at) - most);
    kernel.write(y, at, power / kernel.reduce(Combiner::sum, {at[3]}, power));
    g_.kernel("Softmax", kernel);
    return guarded(y);
  }

  Operand reduced(const char* op, Combiner how, const Operand& x) {
    const Operand y = g_.value(op, {x.dim(0), x.dim(1), x.dim(2), 1});
    KernelBuilder kernel;
    Indices at = kernel.axes({x.dim(0), x.dim(1), x.dim(2)});
    Indices from = at;
    from.push_back(kernel.reduce_axis(x.dim(3)));
    at.emplace_back(0);
    kernel.write(y, at, kernel.reduce(how, {from[3]}, x.at(from)));
    g_.kernel(op, kernel);
    return y;
  }

  Operand primitive_softmax(const Operand& x, const Operand& y) {
    const auto row = [](const Indices& at) { return Indices{at[0], at[1], at[2], 0}; };
    const Operand most = reduced("ReduceMax", Combiner::max, x);
    const Operand shifted = g_.value("shifted", x.shape()), power = g_.value("power", x.shape());
    g_.map("Sub", shifted, [&](const Indices& at) { return x.at(at) - most.at(row(at)); });
    g_.map("Exp", power,
           [&](const Indices& at) { return Expr::unary(Unary::exp, shifted.at(at)); });
    const Operand total = reduced("ReduceSum", Combiner::sum, power);
    g_.map("Div", y, [&](const Indices& at) { return power.at(at) / total.at(row(at)); });
    return guarded(y);
  }

  Operand guarded(const Operand& x) {
    if (!form_.guard) return x;
    const Operand y = g_.value("guarded", x.shape());
    g_.map("Where", y, [&](const Indices& at) {
      return Expr::select(Expr::unary(Unary::is_nan, x.at(at)), number(0), x.at(at));
    });
    return y;
  }

  void weighted_sum(const Operand& weights, const Operand& v) {
    if (form_.flat_batch) {
      const Operand w = joined_batch("weights_flat", weights), u = joined_batch("v_flat", v);
      const Operand y = g_.output("y", {kBatch * kHeads, kQueries, kElements});
      KernelBuilder kernel;
      const Indices at = kernel.axes(y.shape());
      const Index j = kernel.reduce_axis(kKeys);
      kernel.write(
          y, at,
          kernel.reduce(Combiner::sum, {j}, w.at({at[0], at[1], j}) * u.at({at[0], j, at[2]})));
      g_.kernel("MatMul", kernel);
      return;
    }
    const Operand y = g_.output("y", {kBatch, kQueries, kHeads, kElements});
    KernelBuilder kernel;
    const Indices at = kernel.axes({kBatch, kHeads, kQueries, kElements});
    const Index j = kernel.reduce_axis(kKeys);
    kernel.write(
        y, {at[0], at[2], at[1], at[3]},
        kernel.reduce(Combiner::sum, {j},
                      weights.at({at[0], at[1], at[2], j}) * v.at({at[0], at[1], j, at[3]})));
    g_.kernel("MatMul", kernel);
  }

  const Form form_;
  GraphFixture g_;
  int steps_ = 0;
};

class AttentionForms : public testing::TestWithParam<Form> {};

TEST_P(AttentionForms, BecomeOneKernel) {
  Writer writer(GetParam());
  const KernelGraph& graph = writer.run();
  const KernelGraph fused = fuse(graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const Kernel& kernel = std::get<Kernel>(fused.steps[0]);
  const std::optional<AttentionForm> form = find_attention(kernel, fused.values);
  ASSERT_TRUE(form.has_value()) << to_string(kernel, fused.values);
  // Heads that share keys and values are further queries.
  EXPECT_EQ(form->queries.size(), GetParam().shared == kHeads ? 2u : 1u);
  EXPECT_EQ(form->elements.size(), 1u);
  EXPECT_EQ(form->empty, GetParam().guard ? EmptyRows::zero_if_nan : EmptyRows::nan);
  expect_same(graph, fused);
}

TEST_P(AttentionForms, StayApartWhereTheRewriteIsOff) {
  Writer writer(GetParam());
  const KernelGraph& graph = writer.run();
  FuseOptions off;
  off.attention = false;
  const KernelGraph fused = fuse(graph, off);
  EXPECT_GE(count_kernels(fused), 3);
  expect_same(graph, fused);
}

TEST_P(AttentionForms, AreComputedInBlocks) {
  Writer writer(GetParam());
  KernelGraph fused = fuse(writer.run(), {});
  Hardware hardware = small_hardware({{128, 4, 64, 1}});  // a few keys at a time
  const KernelGraph before = fused;
  const LoopPlans selection = choose_loops(std::move(fused), hardware);
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  ASSERT_TRUE(schedule.attention.has_value());
  EXPECT_EQ(schedule.attention->key_block % schedule.attention->scores.rows, 0);
  EXPECT_EQ(schedule.attention->scores.vectors, schedule.attention->values.vectors);
  EXPECT_EQ(schedule.kernel.lets.size(), 4u);
  // Regrouped axes mean the same.
  expect_same(before, selection.graph);
}

INSTANTIATE_TEST_SUITE_P(
    Exporters, AttentionForms,
    testing::Values(Form{"plain"}, Form{"scale_on_q", true}, Form{"scale_on_both", true, true},
                    Form{.name = "divides", .divides = true},
                    Form{.name = "mask", .divides = true, .mask = true},
                    Form{.name = "boolean", .scale_on_q = true, .boolean_mask = true},
                    Form{.name = "causal", .causal = true},
                    Form{.name = "cap", .mask = true, .cap = true},
                    Form{.name = "flat", .divides = true, .mask = true, .flat_batch = true},
                    Form{.name = "columns", .scale_on_q = true, .heads_in_columns = true},
                    Form{.name = "shared", .divides = true, .shared = 2},
                    Form{.name = "one_key_head", .heads_in_columns = true, .shared = kHeads},
                    Form{.name = "primitive", .divides = true, .mask = true, .primitive = true},
                    Form{.name = "guard", .mask = true, .guard = true},
                    Form{.name = "everything",
                         .scale_on_q = true,
                         .scale_on_k = true,
                         .mask = true,
                         .causal = true,
                         .cap = true,
                         .heads_in_columns = true,
                         .shared = 2,
                         .primitive = true,
                         .guard = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Attention, ScoresThatSomeoneElseReadsStayATensor) {
  Writer writer(Form{.name = "plain"});
  const KernelGraph& graph = writer.run(true);
  const KernelGraph fused = fuse(graph, {});
  EXPECT_GE(count_kernels(fused), 3);
  expect_same(graph, fused);
}

// Queries, keys and values are rows of one tensor: the depth of the scores is as long as a row of
// the result, and both read it there.
TEST(Attention, OneTensorIsEnough) {
  GraphFixture g;
  const Operand x = g.input("x", {kBatch, kKeys, kDepth}),
                scores = g.value("scores", {kBatch, kKeys, kKeys}),
                weights = g.value("weights", scores.shape()),
                y = g.output("y", {kBatch, kKeys, kDepth});
  const auto product = [&](const Operand& to, const Operand& a, bool turned) {
    KernelBuilder kernel;
    const Indices at = kernel.axes(to.shape());
    const Index i = kernel.reduce_axis(a.dim(2));
    const Expr other = turned ? x.at({at[0], at[2], i}) : x.at({at[0], i, at[2]});
    kernel.write(to, at, kernel.reduce(Combiner::sum, {i}, a.at({at[0], at[1], i}) * other));
    g.kernel("MatMul", kernel);
  };
  product(scores, x, true);
  KernelBuilder kernel;
  const Indices at = kernel.axes(scores.shape());
  const Expr most = kernel.reduce(Combiner::max, {at[2]}, scores.at(at));
  const Expr power = Expr::unary(Unary::exp, scores.at(at) - most);
  kernel.write(weights, at, power / kernel.reduce(Combiner::sum, {at[2]}, power));
  g.kernel("Softmax", kernel);
  product(y, weights, false);
  const KernelGraph fused = fuse(g.graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  EXPECT_TRUE(find_attention(std::get<Kernel>(fused.steps[0]), fused.values).has_value());
  expect_same(g.graph, fused);
}

TEST(Attention, OtherWeightsAreNoAttention) {
  GraphFixture g;
  const Operand q = g.input("q", {kQueries, kDepth}), k = g.input("k", {kKeys, kDepth}),
                v = g.input("v", {kKeys, kElements}), y = g.output("y", {kQueries, kElements});
  KernelBuilder kernel;
  const Index i = kernel.axis(kQueries), e = kernel.axis(kElements), j = kernel.axis(kKeys),
              d = kernel.reduce_axis(kDepth);
  const Expr score = kernel.reduce(Combiner::sum, {d}, q.at({i, d}) * k.at({j, d}));
  const Expr most = kernel.reduce(Combiner::max, {j}, score);
  const Expr power = Expr::unary(Unary::exp, score - most);
  // Divided by the sum of something else.
  const Expr weight = power / kernel.reduce(Combiner::sum, {j}, power * power);
  kernel.write(y, {i, e}, kernel.reduce(Combiner::sum, {j}, weight * v.at({j, e})));
  g.kernel("Other", kernel);
  EXPECT_FALSE(find_attention(std::get<Kernel>(g.graph.steps[0]), g.graph.values).has_value());
}

}  // namespace
}  // namespace burin::attention_test

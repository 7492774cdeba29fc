// Memory plans with sizes that are known only at run time.
#include <gtest/gtest.h>

#include "plan/memory/bytes.h"
#include "plans/support/planned.h"
#include "support/diagnostics.h"

namespace burin::memory_symbols_test {
namespace {

using test::GraphBuilder;
using test::hinted;
using test::options_of;
using test::planned;
TEST(MemoryPlan, SymbolicSizesGiveExpressions) {
  GraphBuilder b;
  const Dim n = Index::symbol(test::param("N", 1, 100, 32));
  const ValueId x = b.input({n, 16});
  ValueId last = x;
  std::vector<ValueId> all;
  for (int i = 0; i < 4; ++i) {
    const std::vector<Dim> shape = i % 2 == 0 ? std::vector<Dim>{16, n} : std::vector<Dim>{n, 16};
    const ValueId next = b.internal(shape);
    b.transpose(next, last);
    last = next;
    all.push_back(next);
  }
  b.copy(b.output({n, 16}), last);
  const MemoryPlan plan = planned(b.numbered(), options_of(64));
  EXPECT_EQ(plan.arena_bytes, n * 128);
  EXPECT_EQ(plan.lower_bound, n * 128);
  EXPECT_EQ(plan.arena_bound, 12800);
  EXPECT_TRUE(plan.named.empty());
  MemoryOptions fixed = options_of(64);
  fixed.fixed_offsets = true;
  EXPECT_EQ(planned(b.numbered(), fixed).arena_bytes, Dim(12800));
}

// Layers of a transformer: what is largest, scores or activations, depends on N.
KernelGraph transformer(const Dim& n, int layers) {
  GraphBuilder b;
  // A stand-in for a matrix product: every point reads elsewhere.
  const auto product_of = [&](ValueId to, ValueId x, ValueId y) {
    const std::vector<Index> at = GraphBuilder::axes(b.shape(to));
    const auto elsewhere = [&](ValueId id) {
      return b.load(id, {mod(at[0] * 7, b.shape(id)[0]), mod(at[1] * 5, b.shape(id)[1])});
    };
    b.map(to, elsewhere(x) + elsewhere(y));
  };
  const ValueId x = b.input({n, 768});
  ValueId hidden = b.internal({n, 768});
  product_of(hidden, x, x);
  for (int i = 0; i < layers; ++i) {
    const auto matrix = [&](const Dim& rows, const Dim& columns) {
      return b.internal({rows, columns});
    };
    const ValueId normal = matrix(n, 768), q = matrix(n, 768), k = matrix(n, 768);
    const ValueId v = matrix(n, 768), scores = matrix(n * 12, n), weights = matrix(n * 12, n);
    const ValueId context = matrix(n, 768), wide = matrix(n, 3072), active = matrix(n, 3072);
    const ValueId narrow = matrix(n, 768), next = matrix(n, 768);
    b.normalise_rows(normal, hidden);
    product_of(q, normal, normal);
    product_of(k, normal, normal);
    product_of(v, normal, normal);
    product_of(scores, q, k);
    b.normalise_rows(weights, scores);
    product_of(context, weights, v);
    product_of(wide, context, context);
    b.unary(active, wide);
    product_of(narrow, active, active);
    b.binary(next, hidden, narrow);
    hidden = next;
  }
  b.unary(b.output({n, 768}), hidden);
  return b.numbered();
}

TEST(MemoryPlan, ExpressionsReachTheLowerBoundAtEverySize) {
  const Dim n = Index::symbol(test::param("N", 1, 512, 128));
  const KernelGraph graph = transformer(n, 3);
  const MemoryOptions options = options_of(64);
  const MemoryPlan plan = plan_memory(graph, {}, options);
  EXPECT_EQ(check_memory_plan(graph, {}, options, plan), std::vector<std::string>());
  EXPECT_TRUE(plan.optimal);
  for (int64_t size = 1; size <= 512; size += 7) {
    const auto sizes = [size](const Symbol&) { return size; };
    EXPECT_EQ(evaluate(plan, plan.arena_bytes, sizes), evaluate(plan, plan.lower_bound, sizes))
        << size;
  }
  // The bound for all sizes is reached at the largest.
  EXPECT_EQ(plan.arena_bound,
            evaluate(plan, plan.arena_bytes, [](const Symbol&) { return int64_t{512}; }));
}

TEST(MemoryPlan, ArenasStayNearTheirBoundFarFromTheHint) {
  // A small network for batches: scratch that no batch changes beside tensors that grow with it.
  // The packing at the hint alone is up to a tenth above the bound at small batches.
  const Dim n = Index::symbol(test::param("N", 1, 4096, 64));
  GraphBuilder b;
  const std::vector<int64_t> sizes = {96, 96, 96, 48, 96, 96, 48};
  const std::vector<int64_t> scratch_sizes = {9, 10, 24, 166, 48, 5, 96};
  std::vector<ScratchNeed> scratch;
  ValueId last = b.input({n, 16});
  for (size_t i = 0; i < sizes.size(); ++i) {
    const ValueId next = b.internal({n, sizes[i] * 16});
    const std::vector<Index> at = GraphBuilder::axes(b.shape(next));
    b.map(next, b.load(last, {at[0], mod(at[1] * 7, b.shape(last)[1])}));
    scratch.push_back({StepId{static_cast<int>(i)}, Dim(scratch_sizes[i] * 64), 4});
    last = next;
  }
  b.unary(b.output({n, 768}), last);
  const MemoryOptions options = options_of(64);
  const MemoryPlan plan = plan_memory(b.numbered(), scratch, options);
  EXPECT_EQ(check_memory_plan(b.numbered(), scratch, options, plan), std::vector<std::string>());
  for (int64_t size = 1; size <= 4096; size += 1 + size / 8) {
    const auto sizes_at = [size](const Symbol&) { return size; };
    const int64_t bound = evaluate(plan, plan.lower_bound, sizes_at);
    EXPECT_LE(evaluate(plan, plan.arena_bytes, sizes_at) * 100, bound * 105) << size;
  }
  // What was packed is told, and simpler planners take no less of it.
  EXPECT_GE(plan.buffers.size(), sizes.size());
  ASSERT_EQ(plan.baselines.size(), 2U);
  for (const Baseline& baseline : plan.baselines)
    EXPECT_GE(baseline.bytes, evaluate(plan, plan.lower_bound, hinted));
}

TEST(MemoryPlan, CheckerFindsOffsetsThatHoldAtTheHintsOnly) {
  const Symbol symbol = test::param("N", 1, 512, 128);
  const Dim n = Index::symbol(symbol);
  const KernelGraph graph = transformer(n, 2);
  const MemoryOptions options = options_of(64);
  const MemoryPlan plan = plan_memory(graph, {}, options);
  int found = 0;
  int tried = 0;
  for (size_t v = 0; v < plan.values.size(); ++v) {
    const Dim& offset = plan.values[v].offset;
    if (plan.values[v].sharing == Sharing::none || offset.is_constant()) continue;
    // The same at the hints, and wrong where it should be more.
    MemoryPlan wrong = plan;
    wrong.values[v].offset = Dim(evaluate(plan, offset, hinted));
    wrong.arena_bytes = plan.arena_bytes + wrong.values[v].offset + plan.values[v].bytes;
    wrong.arena_bound.reset();
    ++tried;
    found += !check_memory_plan(graph, {}, options, wrong).empty();
  }
  EXPECT_GT(tried, 10);
  EXPECT_EQ(found, tried);
}

TEST(MemoryPlan, MemoryIsTakenForTheBoundOfARunSymbol) {
  GraphBuilder b;
  const Symbol rows = test::run_symbol("rows", 0, 20);
  const ValueId x = b.input({20, 4});
  const ValueId p = b.internal({Index::symbol(rows), 4});
  b.slice(p, x, 0);
  const ValueId q = b.internal({4, Index::symbol(rows)});
  b.transpose(q, p);
  b.transpose(b.output({Index::symbol(rows), 4}), q);
  const MemoryPlan plan = plan_memory(b.numbered(), {}, options_of());
  EXPECT_EQ(plan.arena_bytes, Dim(320));
  EXPECT_EQ(check_memory_plan(b.numbered(), {}, options_of(), plan), std::vector<std::string>());

  GraphBuilder by_input;
  const Dim n = Index::symbol(test::param("n", 1, kUnbounded, 0));
  SymbolInfo found{"found", SymbolOrigin::run, 0, kUnbounded, 0};
  found.most = std::make_shared<const Dim>(n);
  const Dim count = Index::symbol(std::make_shared<const SymbolInfo>(found));
  const ValueId whole = by_input.input({n, 4});
  const ValueId part = by_input.internal({count, 4});
  by_input.slice(part, whole, 0);
  const ValueId turned = by_input.internal({4, count});
  by_input.transpose(turned, part);
  by_input.transpose(by_input.output({count, 4}), turned);
  const MemoryPlan by_size = plan_memory(by_input.numbered(), {}, options_of());
  EXPECT_EQ(by_size.arena_bytes, 16 * n);
  EXPECT_EQ(check_memory_plan(by_input.numbered(), {}, options_of(), by_size),
            std::vector<std::string>());

  GraphBuilder open;
  const Symbol many = test::run_symbol("many", 0, kUnbounded);
  const ValueId y = open.input({4, 4});
  const ValueId r = open.internal({Index::symbol(many), 4});
  open.slice(r, y, 0);
  open.unary(open.output({Index::symbol(many), 4}), r);
  try {
    plan_memory(open.numbered(), {}, options_of());
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.diagnostics.front().rule, "unbounded-size");
  }
}

// A refusal may be about a number that emitted code computes; axes of kernels and loads mean
// nothing to who reads it.
TEST(MemoryPlan, SizesAreToldInWordsOfTheModel) {
  const Dim n = Index::symbol(test::param("n", 1, 64, 0));
  const Index i = Index::axis(15, n), k = Index::axis(20, 8);
  const auto held = [](ValueId id, const Index& at) {
    return Index::data(Expr::load(id, Type::i64, {at}).ptr(), {0, kUnbounded});
  };
  EXPECT_EQ(size_text(4 * n + 1), "4*n + 1");
  EXPECT_EQ(size_text(i), "position");
  EXPECT_EQ(size_text(2 * held(4, k)), "2*element");
  const std::string sum = size_text(i + held(4, k) + n);
  EXPECT_EQ(sum.find_first_of("iv{["), sum.find("ition")) << sum;
  EXPECT_NE(size_text(i + k).find("position2"), std::string::npos) << size_text(i + k);
  EXPECT_EQ(size_text(i - i + held(4, k) - held(4, k)), "0");
}

TEST(MemoryPlan, LongSizesAreNamedByWhatTheyDependOn) {
  const Symbol many = test::run_symbol("many", 0, kUnbounded);
  Dim size = Index::symbol(many);
  const auto said = [&] {
    try {
      bound_of(size);
    } catch (const Refused& refused) {
      return refused.diagnostics.front().message;
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said(), "the size 'many' is dynamic and nothing bounds it");
  for (int i = 2; i < 16; ++i) size = size + mod(Index::symbol(many), i);
  EXPECT_EQ(said(), "a size depends on 'many', which is dynamic and nothing bounds");
}

}  // namespace
}  // namespace burin::memory_symbols_test

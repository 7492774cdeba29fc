// Results in place of operands, views, and concatenations that are filled in place.
#include <gtest/gtest.h>

#include "plans/support/planned.h"

namespace burin::memory_sharing_test {
namespace {

using test::GraphBuilder;
using test::options_of;
using test::planned;
TEST(MemoryPlan, ResultLiesOverAnOperandThatEnds) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8});
  const ValueId r = b.internal({8, 8});
  b.transpose(p, x);
  b.unary(q, p);
  b.binary(r, q, q);
  b.transpose(b.output({8, 8}), r);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.arena_bytes, Dim(256));
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].sharing, Sharing::in_place);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].base, p);
  EXPECT_EQ(plan.values[static_cast<size_t>(r)].base, q);
  MemoryOptions apart = options_of();
  apart.rules = {NeverInPlace{StepId{1}}};
  EXPECT_EQ(planned(b.numbered(), apart).arena_bytes, Dim(512));
  apart.share = false;
  EXPECT_EQ(planned(b.numbered(), apart).arena_bytes, Dim(512));
}

TEST(MemoryPlan, NotInPlaceWhereAPointReadsOthers) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8});
  b.transpose(p, x);
  b.normalise_rows(q, p);
  b.transpose(b.output({8, 8}), q);
  EXPECT_EQ(planned(b.numbered()).arena_bytes, Dim(512));
}

TEST(MemoryPlan, NotInPlaceWhereTheOperandIsNeededLater) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8});
  b.transpose(p, x);
  b.unary(q, p);
  b.binary(b.output({8, 8}), p, q);
  EXPECT_EQ(planned(b.numbered()).arena_bytes, Dim(512));
}

TEST(MemoryPlan, NotInPlaceForAnotherElementSize) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8}, Type::i8);
  b.transpose(p, x);
  b.map(q, Expr::cast(Type::i8, b.load(p, GraphBuilder::axes({8, 8})), CastMode::saturate));
  b.map(b.output({8, 8}), Expr::cast(Type::f32, b.load(q, GraphBuilder::axes({8, 8}))));
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].sharing, Sharing::own);
  EXPECT_EQ(plan.arena_bytes, Dim(256 + 64));
}

TEST(MemoryPlan, ReshapeIsAView) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({16, 2});
  b.unary(p, x);
  b.copy(q, p);
  b.transpose(b.output({2, 16}), q);
  b.transpose(b.output({8, 4}), p);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.arena_bytes, Dim(128));
  EXPECT_EQ(plan.dropped, std::set{StepId{1}});
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].sharing, Sharing::view);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].base, p);
}

TEST(MemoryPlan, ReshapeOfAnInputIsAViewOfTheInput) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId q = b.internal({2, 8});
  b.slice(q, x, 1);
  b.transpose(b.output({8, 2}), q);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.arena_bytes, Dim(0));
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].root, x);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].offset, Dim(32));
}

TEST(MemoryPlan, SplitByRowsIsTwoViews) {
  GraphBuilder b;
  const ValueId x = b.input({6, 8});
  const ValueId p = b.internal({6, 8});
  const ValueId top = b.internal({2, 8});
  const ValueId bottom = b.internal({4, 8});
  b.unary(p, x);
  b.split({top, bottom}, p);
  b.transpose(b.output({8, 2}), top);
  b.transpose(b.output({8, 4}), bottom);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.arena_bytes, Dim(192));
  EXPECT_EQ(
      plan.values[static_cast<size_t>(bottom)].offset - plan.values[static_cast<size_t>(p)].offset,
      Dim(64));
  EXPECT_EQ(plan.dropped, std::set{StepId{1}});
}

TEST(MemoryPlan, AViewThatIsWrittenWhileItsBaseIsNeededIsACopy) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId row = b.input({1, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({4, 8});
  b.unary(p, x);
  b.copy(q, p);
  b.add_row(q, 2, row);
  b.binary(b.output({4, 8}), p, q);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_TRUE(plan.dropped.empty());
  EXPECT_EQ(plan.arena_bytes, Dim(256));
}

TEST(MemoryPlan, ACopyThatIsThenUpdatedNeedsNoCopyWhenItsBaseEnds) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId row = b.input({1, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({4, 8});
  b.unary(p, x);
  b.copy(q, p);
  b.add_row(q, 2, row);
  b.transpose(b.output({8, 4}), q);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.dropped, std::set{StepId{1}});
  EXPECT_EQ(plan.arena_bytes, Dim(128));
}

TEST(MemoryPlan, ConcatenationIsFilledInPlace) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({8, 4});
  const ValueId r = b.internal({4, 8});
  const ValueId all = b.internal({12, 8});
  b.transpose(q, x);
  b.unary(p, x);
  b.transpose(r, q);
  b.concat(all, {p, r, p == r ? q : b.internal({4, 8})});
  // The third part: made before, so that all of them end in the concatenation.
  const ValueId third = static_cast<ValueId>(b.graph.values.size()) - 1;
  auto& steps = b.graph.steps;
  const Step concat = steps.back();
  steps.pop_back();
  b.unary(third, x);
  steps.push_back(concat);
  b.transpose(b.output({8, 12}), all);
  b.transpose(b.output({8, 4}), r);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.dropped, std::set{StepId{4}});
  const auto placed = [&](ValueId id) { return plan.values[static_cast<size_t>(id)]; };
  EXPECT_EQ(placed(p).offset - placed(all).offset, Dim(0));
  EXPECT_EQ(placed(r).offset - placed(all).offset, Dim(128));
  EXPECT_EQ(placed(third).offset - placed(all).offset, Dim(256));
  EXPECT_EQ(placed(r).sharing, Sharing::part);
  EXPECT_EQ(placed(all).sharing, Sharing::own);
}

// One part is made in place, the other one is needed elsewhere and copied by a step of its own.
TEST(MemoryPlan, APartThatIsCopiedAloneNeedsNoCopy) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId all = b.internal({8, 8});
  const auto into_rows = [&](int64_t first) {
    Write& write = std::get<Kernel>(b.graph.steps.back()).writes[0];
    write.to = all;
    write.at[0] += first;
  };
  b.unary(p, x);
  b.transpose(b.output({8, 4}), p);
  b.unary(b.internal({4, 8}), x);
  into_rows(4);
  b.unary(b.internal({4, 8}), p);
  std::get<Kernel>(b.graph.steps.back()).writes[0].value =
      b.load(p, std::get<Kernel>(b.graph.steps.back()).writes[0].at);
  into_rows(0);
  b.transpose(b.output({8, 8}), all);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.dropped, std::set{StepId{3}});
  EXPECT_EQ(plan.values[static_cast<size_t>(p)].offset,
            plan.values[static_cast<size_t>(all)].offset);
  // A step that writes over the part is found by the checker.
  std::get<Kernel>(b.graph.steps[2]).writes[0].at[0] -= 1;
  EXPECT_FALSE(check_memory_plan(b.numbered(), {}, options_of(), plan).empty());
}

TEST(MemoryPlan, OneTensorTwiceInAConcatenationIsCopied) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId all = b.internal({8, 8});
  b.unary(p, x);
  b.concat(all, {p, p});
  b.transpose(b.output({8, 8}), all);
  EXPECT_TRUE(planned(b.numbered()).dropped.empty());
}

// The wide steps, of 8 times `columns`, come while only one of the parts, of `rows` rows, exists.
MemoryPlan with_wide_steps(int64_t rows, int64_t other_rows, int64_t columns, ValueId& all) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId part = b.internal({rows, 8});
  const ValueId wide = b.internal({8, columns});
  const ValueId other = b.internal({other_rows, 8});
  all = b.internal({rows + other_rows, 8});
  const std::vector<Index> narrow = GraphBuilder::axes({rows, 8});
  b.map(part, b.load(x, {narrow[1], narrow[0]}));
  const std::vector<Index> at = GraphBuilder::axes({8, columns});
  b.map(wide, b.load(x, {at[0], mod(at[1], 8)}));
  const ValueId turned = b.internal({columns, 8});
  b.transpose(turned, wide);
  const std::vector<Index> row = GraphBuilder::axes({other_rows, 8});
  b.map(other, b.load(turned, {columns - 1 - row[0], row[1]}));
  b.concat(all, {part, other});
  b.transpose(b.output({8, rows + other_rows}), all);
  return planned(b.numbered());
}

// 896 bytes instead of 640.
TEST(MemoryPlan, ConcatenationThatRaisesThePeakMuchIsCopied) {
  ValueId all = kNoValue;
  const MemoryPlan plan = with_wide_steps(2, 8, 9, all);
  EXPECT_TRUE(plan.dropped.empty());
  EXPECT_EQ(plan.arena_bytes, Dim(2 * (64 + 256)));
}

// 64 bytes of 2112 are less than a quarter.
TEST(MemoryPlan, ConcatenationThatRaisesThePeakALittleIsFilledInPlace) {
  ValueId all = kNoValue;
  const MemoryPlan plan = with_wide_steps(2, 2, 32, all);
  EXPECT_EQ(plan.dropped, std::set{StepId{4}});
  EXPECT_EQ(plan.arena_bytes, Dim(128 + 2 * 1024));
}

// Parts that others read as well are made inside of the output.
TEST(MemoryPlan, AnOutputIsFilledInPlace) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8}), q = b.internal({4, 8}), all = b.output({8, 8});
  b.unary(p, x);
  b.transpose(b.output({8, 4}), p);
  b.unary(q, x);
  b.transpose(b.output({8, 4}), q);
  b.concat(all, {p, q});
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.dropped, std::set{StepId{4}});
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].root, all);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].offset, Dim(128));
  EXPECT_EQ(plan.arena_bytes, Dim(0));
}

// Both have at most 8 rows; only the smaller of two sizes is known to lie inside.
TEST(MemoryPlan, APartOfAnOutputIsAViewWhereItLiesInside) {
  for (const bool inside : {true, false}) {
    GraphBuilder b;
    const auto found = [&](const char* name) {
      const Symbol symbol =
          std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::run, 0, 8, 4});
      b.step(Bind{symbol, Expr::constant(Type::i64, int64_t{4}), {}});
      return Index::symbol(symbol);
    };
    const Dim all = found("all"), some = found("some"), rows = inside ? min(all, some) : some;
    const ValueId x = b.input({8, 8});
    const ValueId y = b.output({all, 8}), part = b.internal({rows, 8});
    const std::vector<Index> at = GraphBuilder::axes({all, 8});
    b.map(y, b.load(x, {at[1], at[0]}));
    b.map(part, b.load(y, GraphBuilder::axes({rows, 8})));
    b.transpose(b.output({8, rows}), part);
    EXPECT_EQ(planned(b.numbered()).dropped.size(), inside ? 1U : 0U);
  }
}

// Of an output whose size the run finds out the caller says how much there is room for.
TEST(MemoryPlan, AnOutputWithACapacityIsNotFilledInPlace) {
  GraphBuilder b;
  SymbolInfo found{"found", SymbolOrigin::run, 0, 8, 4};
  const Dim rows = Index::symbol(std::make_shared<const SymbolInfo>(found));
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({rows, 8}), all = b.output({rows, 8});
  b.step(Bind{rows.as_symbol(), Expr::constant(Type::i64, int64_t{4}), {}});
  const std::vector<Index> at = GraphBuilder::axes({rows, 8});
  b.map(p, Expr::unary(Unary::exp, b.load(x, at)));
  b.copy(all, p);
  b.transpose(b.output({8, rows}), p);
  MemoryPlan plan = planned(b.numbered());
  EXPECT_NE(plan.values[static_cast<size_t>(p)].root, all);
  // The checker would find it.
  plan.values[static_cast<size_t>(p)].root = all;
  plan.values[static_cast<size_t>(p)].offset = 0;
  EXPECT_FALSE(check_memory_plan(b.numbered(), {}, options_of(), plan).empty());
}

// Numbers side by side: which of them it is says where it goes.
TEST(MemoryPlan, NumbersAreMadeWhereTheyAreCollected) {
  GraphBuilder b;
  const ValueId x = b.input({3}), all = b.output({3});
  std::vector<ValueId> numbers;
  for (int k = 0; k < 3; ++k) {
    numbers.push_back(b.internal({1}));
    b.map(numbers.back(), Expr::unary(Unary::exp, b.load(x, {k})));
    b.map(b.output({1}), Expr::unary(Unary::sqrt, b.load(numbers.back(), {0})));
  }
  const Index i = GraphBuilder::axes({3})[0];
  b.map(all, Expr::cases(
                 {{{{i, 0, 1}}, b.load(numbers[0], {0})}, {{{i, 1, 2}}, b.load(numbers[1], {0})}},
                 b.load(numbers[2], {0})));
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.dropped, std::set{StepId{6}});
  EXPECT_EQ(plan.values[static_cast<size_t>(numbers[2])].offset, Dim(8));
}

// What was decided before is kept: no other copy is dropped.
TEST(MemoryPlan, OnlyCopiesThatMayBeDroppedAre) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8}), p = b.internal({8, 8}), q = b.internal({8, 8}),
                r = b.internal({8, 8});
  b.transpose(p, x);
  b.copy(q, p);
  b.copy(r, q);
  b.transpose(b.output({8, 8}), r);
  EXPECT_EQ(planned(b.numbered()).dropped, (std::set{StepId{1}, StepId{2}}));
  MemoryOptions options = options_of();
  options.droppable = std::set{StepId{2}, StepId{3}};
  EXPECT_EQ(planned(b.numbered(), options).dropped, std::set{StepId{2}});
  options.droppable = std::set<StepId>();
  EXPECT_TRUE(planned(b.numbered(), options).dropped.empty());
}

}  // namespace
}  // namespace burin::memory_sharing_test

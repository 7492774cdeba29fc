// Values in the memory of an output, before the output is there.
#include <gtest/gtest.h>

#include "plans/support/planned.h"

namespace burin::memory_guests_test {
namespace {

using test::GraphBuilder;
using test::options_of;
using test::planned;

MemoryOptions rooms(const std::set<ValueId>& outputs) {
  MemoryOptions options = options_of();
  options.rooms = outputs;
  return options;
}

// Two rows that take turns: one of them lies in the output, but for the one that it is made of.
TEST(MemoryGuests, ARowOfAChainLiesInTheOutput) {
  GraphBuilder b;
  ValueId last = b.input({8, 8});
  std::vector<ValueId> all;
  for (int i = 0; i < 6; ++i) {
    all.push_back(b.internal({8, 8}));
    b.transpose(all.back(), last);
    last = all.back();
  }
  const ValueId y = b.output({8, 16});
  b.map(y, Expr::unary(Unary::exp, b.load(last, {GraphBuilder::axes({8, 16})[0], 0})));
  const MemoryPlan plan = planned(b.numbered(), rooms({y}));
  EXPECT_EQ(plan.arena_bytes, Dim(256));
  EXPECT_EQ(plan.values[static_cast<size_t>(all[0])].root, y);
  EXPECT_EQ(plan.values[static_cast<size_t>(all[1])].root, y);
  EXPECT_EQ(plan.values[static_cast<size_t>(all[1])].offset, Dim(256));
  EXPECT_EQ(plan.values[static_cast<size_t>(all[5])].root, kNoValue);
  EXPECT_EQ(planned(b.numbered()).arena_bytes, Dim(512));
}

// What an output holds, until the end; what is as large as no output; another type.
TEST(MemoryGuests, StayOutWhereTheyDoNotFit) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId first = b.output({8, 8}), p = b.internal({8, 8}), large = b.internal({8, 16}),
                bytes = b.internal({8, 8}, Type::i32), last = b.output({8, 8});
  b.transpose(first, x);
  b.transpose(p, x);
  const std::vector<Index> at = GraphBuilder::axes({8, 16});
  b.map(large, Expr::unary(Unary::exp, b.load(p, {at[0], 0})));
  const std::vector<Index> one = GraphBuilder::axes({8, 8});
  b.map(bytes, Expr::cast(Type::i32, b.load(large, one)));
  b.map(last, Expr::cast(Type::f32, b.load(bytes, {one[1], one[0]})));
  const MemoryPlan plan = planned(b.numbered(), rooms({first, last}));
  EXPECT_EQ(plan.values[static_cast<size_t>(p)].root, last);
  EXPECT_EQ(plan.values[static_cast<size_t>(large)].root, kNoValue);
  EXPECT_EQ(plan.values[static_cast<size_t>(bytes)].root, kNoValue);
}

// Of an output whose size the run finds out the caller says how much there is room for.
TEST(MemoryGuests, StayOutOfAnOutputWithACapacity) {
  GraphBuilder b;
  const SymbolInfo found{"found", SymbolOrigin::run, 0, 8, 4};
  const Dim rows = Index::symbol(std::make_shared<const SymbolInfo>(found));
  const ValueId x = b.input({8, 8}), p = b.internal({8, 8}), y = b.output({rows, 8});
  b.step(Bind{rows.as_symbol(), Expr::constant(Type::i64, int64_t{4}), {}});
  b.transpose(p, x);
  const std::vector<Index> at = GraphBuilder::axes({rows, 8});
  b.map(y, Expr::unary(Unary::exp, b.load(p, {at[1], at[0]})));
  const MemoryPlan plan = planned(b.numbered(), rooms({y}));
  EXPECT_EQ(plan.values[static_cast<size_t>(p)].root, kNoValue);
}

}  // namespace
}  // namespace burin::memory_guests_test

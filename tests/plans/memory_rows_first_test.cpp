// Results that lie over what a let of whole rows has read, where rows are read back from memory
// before anything else of them is written.
#include <gtest/gtest.h>

#include "plans/support/planned.h"

namespace burin::memory_rows_first_test {
namespace {

using test::GraphBuilder;
using test::options_of;

// q = rows of 2 * p, each divided by its sum; `late` adds p once more at the end, `turned` stores
// the result the other way round.
struct Rows {
  GraphBuilder b;
  ValueId p, q;
  explicit Rows(bool late = false, bool turned = false) {
    const ValueId x = b.input({8, 8});
    p = b.internal({8, 8});
    q = b.internal({8, 8});
    b.transpose(p, x);
    const std::vector<Index> at = GraphBuilder::axes({8, 8});
    const Expr value = Expr::let(0, Type::f32, at);
    const Let rows{{0, 1}, {}, Combiner::none, {b.load(p, at) * 2.0}, {Type::f32}};
    const Let sum{{0}, {1}, Combiner::sum, {late ? value + b.load(p, at) : value}, {Type::f32}};
    b.map(q, value / Expr::let(1, Type::f32, {at[0]}), {rows, sum});
    if (turned) std::swap(last().writes[0].at[0], last().writes[0].at[1]);
    b.transpose(b.output({8, 8}), q);
  }
  Kernel& last() { return std::get<Kernel>(b.graph.steps[1]); }
  MemoryPlan plan(const MemoryOptions& options) { return plan_memory(b.numbered(), {}, options); }
};

MemoryOptions with_rows_first() {
  MemoryOptions options = options_of();
  options.rules = {RowsFirst{StepId{1}, 0}};
  return options;
}

TEST(MemoryPlan, ARowThatIsReadBackMayLieOverWhatItWasMadeOf) {
  Rows rows;
  const MemoryPlan plan = rows.plan(with_rows_first());
  EXPECT_EQ(plan.arena_bytes, Dim(256));
  EXPECT_EQ(check_memory_plan(rows.b.numbered(), {}, with_rows_first(), plan),
            std::vector<std::string>());
  // Of a kernel that reads operands until its end the same plan is wrong.
  EXPECT_EQ(rows.plan(options_of()).arena_bytes, Dim(512));
  EXPECT_FALSE(check_memory_plan(rows.b.numbered(), {}, options_of(), plan).empty());
}

TEST(MemoryPlan, WhatIsReadAgainBehindTheRowKeepsItsPlace) {
  const MemoryPlan over = Rows().plan(with_rows_first());
  Rows late(true);
  EXPECT_EQ(late.plan(with_rows_first()).arena_bytes, Dim(512));
  EXPECT_FALSE(check_memory_plan(late.b.numbered(), {}, with_rows_first(), over).empty());
  Rows turned(false, true);
  EXPECT_EQ(turned.plan(with_rows_first()).arena_bytes, Dim(512));
  EXPECT_FALSE(check_memory_plan(turned.b.numbered(), {}, with_rows_first(), over).empty());
}

}  // namespace
}  // namespace burin::memory_rows_first_test

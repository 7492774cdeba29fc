// Loops over the same points as one: what they compute is what they did one after the other, and
// loops that need each other, or write what may share bytes, stay as they are.
#include <gtest/gtest.h>

#include "loops/program_text.h"
#include "loops/transforms/merge.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "passes/support/run_rows.h"
#include "select/programs/brief.h"

namespace burin::loops::loops_merge_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "scratch 160\n"
    "var i0 row < 3\nvar i1 column < 40\nvar i2 other < 40\n"
    "buffer x f32 [3, 40] argument of 0\n"
    "buffer y f32 [3, 40] argument of 1 written\n"
    "buffer kept f32 [40] scratch at 0\n"
    "buffer a f32 [] local\nbuffer b f32 [] local\n";

Program program(const std::string& body) {
  return parse(kHeader + ("{ for i0 in 0 .. 3 { " + body + " } }"), {});
}

HostTensor run(const Program& of) { return run_rows(of, 2)[1]; }

int loops_in(const Program& of) {
  int count = 0;
  for_each(of.body, [&](const Stmt& stmt) { count += std::holds_alternative<For>(stmt.node); });
  return count;
}

// Loops that are left, the one over rows included.
int merged_loops(const std::string& body) {
  const Program before = program(body), after = with_shared_loops(before);
  EXPECT_EQ(verify(after), std::vector<std::string>());
  EXPECT_EQ(run(after), run(before));
  return loops_in(after);
}

TEST(Merge, SumsOverTheSamePointsAreOneLoop) {
  EXPECT_EQ(merged_loops("alloc a a[] = 0 for i1 in 0 .. 40 { a[] += x[i0, i1] }"
                         "alloc b b[] = 1 for i1 in 0 .. 40 { b[] += (x[i0, i1] * x[i0, i1]) }"
                         "y[i0, 0] = (a[] + b[])"),
            2);
}

TEST(Merge, ALoopOverAnotherVariableTakesThatOfTheFirst) {
  EXPECT_EQ(merged_loops("alloc a a[] = 0 for i1 in 0 .. 40 { a[] += x[i0, i1] }"
                         "alloc b b[] = 1 for i2 in 0 .. 40 { b[] += (x[i0, i2] * 3) }"
                         "y[i0, 0] = (a[] + b[])"),
            2);
}

// Its variable is that of a loop inside: as one, both would be the inner one's.
TEST(Merge, ALoopAroundOneOverTheSameVariableStays) {
  EXPECT_EQ(merged_loops("alloc a a[] = 0 for i1 in 0 .. 40 { a[] += x[i0, i1] }"
                         "alloc b b[] = 1 for i2 in 0 .. 40 { for i1 in 0 .. 40 { b[] += (x[i0, "
                         "i1] * x[i0, i2]) } }"
                         "y[i0, 0] = (a[] + b[])"),
            4);
}

TEST(Merge, OtherPointsAreAnotherLoop) {
  EXPECT_EQ(merged_loops("alloc a a[] = 0 for i1 in 0 .. 40 { a[] += x[i0, i1] }"
                         "alloc b b[] = 1 for i1 in 1 .. 40 { b[] += x[i0, i1] }"
                         "y[i0, 0] = (a[] + b[])"),
            3);
}

TEST(Merge, ALoopThatReadsTheSumBeforeWaitsForIt) {
  EXPECT_EQ(merged_loops("alloc a a[] = 0 for i1 in 0 .. 40 { a[] += x[i0, i1] }"
                         "alloc b b[] = 1 for i1 in 0 .. 40 { b[] += (x[i0, i1] * a[]) }"
                         "y[i0, 0] = (a[] + b[])"),
            3);
}

TEST(Merge, WhatStandsBetweenAndReadsTheSumKeepsThemApart) {
  EXPECT_EQ(merged_loops("alloc a a[] = 0 for i1 in 0 .. 40 { a[] += x[i0, i1] }"
                         "alloc b b[] = a[] for i1 in 0 .. 40 { b[] += x[i0, i1] }"
                         "y[i0, 0] = (a[] + b[])"),
            3);
}

// A tensor may lie where another one does: its elements are written in the order of the kernel.
TEST(Merge, ArgumentsAreWrittenInTheirOwnLoop) {
  EXPECT_EQ(merged_loops("alloc kept for i1 in 0 .. 40 { kept[i1] = (x[i0, i1] * 2) }"
                         "for i1 in 0 .. 40 { y[i0, i1] = x[i0, i1] }"),
            3);
}

TEST(Merge, TheirCommonConditionStandsAroundThem) {
  const Program before = program(
      "alloc a a[] = 0 for i1 in 0 .. 40 { if 1 <= i0 < 3 { a[] += x[i0, i1] } }"
      "alloc b b[] = 1 for i1 in 0 .. 40 { if 1 <= i0 < 3 { b[] += (x[i0, i1] * 3) } }"
      "y[i0, 0] = (a[] + b[])");
  const Program after = with_shared_loops(before);
  EXPECT_EQ(run(after), run(before));
  int around = 0;
  for_each(after.body, [&](const Stmt& stmt) {
    const auto* branch = std::get_if<If>(&stmt.node);
    around += branch != nullptr && has_loops(branch->then);
  });
  EXPECT_EQ(around, 1);
  EXPECT_EQ(loops_in(after), 2);
}

}  // namespace
}  // namespace burin::loops::loops_merge_test

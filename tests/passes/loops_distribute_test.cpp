// Loops in two, conditions around loops, loops whose points run in any order: what they compute is
// what the loop did; what would compute something else is refused, with the reason.
#include <gtest/gtest.h>

#include "loops/program_text.h"
#include "loops/transforms/bind.h"
#include "loops/transforms/distribute.h"
#include "loops/transforms/unswitch.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "passes/support/run_rows.h"
#include "select/programs/independent.h"

namespace burin::loops::loops_distribute_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "symbol n param 0..40 @17\n"
    "scratch 160\n"
    "var i0 row < 3\nvar i1 column < 40\n"
    "buffer x f32 [3, 40] argument of 0\n"
    "buffer y f32 [3, 40] argument of 1 written\n"
    "buffer z f32 [3, 40] argument of 2 written\n"
    "buffer kept f32 [40] scratch at 0\n"
    "buffer one f32 [] local\n";

Program program(const std::string& row) {
  return parse(kHeader + ("{ for i0 in 0 .. 3 { for i1 in 0 .. n { " + row + " } } }"), {});
}

std::vector<HostTensor> run(const Program& of, int64_t n) { return run_rows(of, 3, {{"n", n}}); }

void expect_same(const Program& after, const Program& before) {
  EXPECT_EQ(verify(after), std::vector<std::string>());
  for (const int64_t n : {0, 1, 5, 40}) EXPECT_EQ(run(after, n), run(before, n)) << n;
}

const char* const kTwo = "y[i0, i1] = (x[i0, i1] * 2) z[i0, i1] = (y[i0, i1] + 1)";

TEST(Distribute, TheSecondLoopSeesWhatTheFirstHasMade) {
  const Program before = program(kTwo);
  const Change change = distribute(before, 1, 1);
  ASSERT_TRUE(change.done()) << change.refusal;
  EXPECT_EQ(change.text, "distribute i1 at 1");
  EXPECT_EQ(find_loop(change.program, 1)->body.size(), 1U);
  EXPECT_EQ(find_loop(change.program, change.vars[0])->body.size(), 1U);
  expect_same(change.program, before);
}

TEST(Distribute, RefusesWhatCrossesTheCut) {
  const auto refusal = [](const std::string& row, size_t at) {
    return distribute(program(row), 1, at).refusal;
  };
  EXPECT_EQ(refusal(kTwo, 0), "there is nothing on one side");
  EXPECT_EQ(refusal(kTwo, 2), "there is nothing on one side");
  EXPECT_EQ(refusal("alloc one one[] = x[i0, i1] y[i0, i1] = one[]", 2),
            "one is used on both sides");
  // The next point overwrites what this one reads behind the cut.
  EXPECT_EQ(refusal("kept[0] = x[i0, i1] y[i0, i1] = kept[0]", 1),
            "points of i1 (serial) share kept");
  EXPECT_EQ(distribute(program(kTwo), 9, 1).refusal, "there is not one loop of i9");
}

TEST(Unswitch, AConditionOfTheWholeLoopStandsAroundIt) {
  const Program before =
      program("if 1 <= i0 < 3 { y[i0, i1] = 5 } if 1 <= i0 < 3 { z[i0, i1] = x[i0, i1] }");
  const Change change = unswitch(before, 1);
  ASSERT_TRUE(change.done()) << change.refusal;
  EXPECT_NE(to_string(change.program).find("if 1 <= i0 < 3 {\n      for i1 in 0 .. n {"),
            std::string::npos)
      << to_string(change.program);
  expect_same(change.program, before);
}

TEST(Unswitch, RefusesOtherConditions) {
  const std::string refusal = "not all of i1 stands under one condition";
  for (const char* row :
       {"if 1 <= i1 < 3 { y[i0, i1] = 5 }", "if 1 <= i0 < 3 { y[i0, i1] = 5 } z[i0, i1] = 1",
        "if 1 <= i0 < 3 { y[i0, i1] = 5 } if 2 <= i0 < 3 { z[i0, i1] = 1 }",
        "if 1 <= i0 < 3 { y[i0, i1] = 5 } else { y[i0, i1] = 6 }",
        "if 1 <= i0 < 3 { alloc one one[] = 5 y[i0, i1] = one[] } "
        "if 1 <= i0 < 3 { alloc one one[] = 6 z[i0, i1] = one[] }"}) {
    EXPECT_EQ(unswitch(program(row), 1).refusal, refusal) << row;
  }
}

TEST(Independent, PointsRunInAnyOrder) {
  const Change change = bind(program(kTwo), 1, Kind::independent);
  ASSERT_TRUE(change.done()) << change.refusal;
  const std::string text = to_string(change.program);
  EXPECT_NE(text.find("for i1 in 0 .. n independent {"), std::string::npos) << text;
  EXPECT_EQ(to_string(parse(text, {})), text);
  expect_same(change.program, program(kTwo));
  // An array in the loop has one address for all of its points.
  EXPECT_EQ(
      bind(program("alloc kept kept[0] = x[i0, i1] y[i0, i1] = kept[0]"), 1, Kind::independent)
          .refusal,
      "points of i1 (independent) share kept");
  EXPECT_EQ(bind(parse(kHeader + std::string("{ for i0 in 0 .. 3 { for i1 in 0 .. 40 { alloc one "
                                             "one[] = x[i0, i1] y[i0, i1] = one[] } } }"),
                       {}),
                 1, Kind::vector)
                .refusal,
            "points of i1 (vector) share one");
  EXPECT_EQ(bind(program("y[i0, 0] = x[i0, i1]"), 1, Kind::independent).refusal,
            "points of i1 (independent) share y");
}

// A loop whose points depend on their order computes something else backwards, and is found.
TEST(Independent, AWrongOneIsFound) {
  Program wrong = program("kept[0] = x[i0, i1] y[i0, 0] = kept[0]");
  const Program right = wrong;
  For loop = *find_loop(wrong, 1);
  loop.kind = Kind::independent;
  wrong = with_loop(wrong, 1, {Stmt{loop}});
  EXPECT_FALSE(verify(wrong).empty());
  EXPECT_NE(run(wrong, 5), run(right, 5));
}

// The loop of a recurrence's gates: a state that is there from the second step on, results that the
// last one has.
TEST(Independent, LoopsOfFunctionsHaveNoConditionsLeft) {
  const Program before = program(
      "kept[i1] = (exp(x[i0, i1]) + {1 <= i0 < 3: y[i0 - 1, i1]; else 0}) y[i0, i1] = kept[i1] "
      "if 2 <= i0 < 3 { z[i0, i1] = kept[i1] }");
  const Program after = with_independent_loops(before);
  expect_same(after, before);
  int independent = 0;
  for_each(after.body, [&](const Stmt& stmt) {
    const auto* loop = std::get_if<For>(&stmt.node);
    if (loop == nullptr || loop->kind != Kind::independent) return;
    ++independent;
    for (const Stmt& inside : loop->body) {
      EXPECT_TRUE(std::holds_alternative<Store>(inside.node)) << to_string(after);
      for_each_expr(inside, [&](const Expr& whole) {
        visit(whole, [&](const ExprNode& node) { EXPECT_NE(node.kind, ExprKind::cases); });
      });
    }
  });
  EXPECT_EQ(independent, 3) << to_string(after);
  // Without functions, or without scratch, compilers need no help.
  const Program plain = program(kTwo);
  EXPECT_EQ(with_independent_loops(plain), plain);
}

}  // namespace
}  // namespace burin::loops::loops_distribute_test

// Divisions of indices become names and induction variables: programs stay what they were to the
// interpreter, which checks at every point that induction variables move as they say; their text is
// expected as a whole.
#include <gtest/gtest.h>

#include "kernel/tensor.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/transforms/strength_reduce.h"
#include "loops/verify/verify_program.h"
#include "support/check.h"

namespace burin::loops::loops_strength_reduce_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "symbol n param 1..9 @4\n"
    "var i0 row < 64\nvar i1 column < 64\nvar i2 end < 65\n"
    "buffer x f32 [64, 64] argument of 0\n"
    "buffer y f32 [64, 64] argument of 1 written\n";

Program program(const std::string& body) { return parse(kHeader + body, {}); }

std::string body_of(const Program& of) { return to_string(of.body, of, 1); }

HostTensor run(const Program& of, int64_t n) {
  std::vector<Value> values(2);
  for (Value& value : values) {
    value.type = Type::f32;
    value.shape = {64, 64};
    value.kind = ValueKind::internal;
  }
  Environment environment;
  environment.symbols["n"] = n;
  HostTensor x = make_tensor(Type::f32, {64, 64});
  for (int64_t i = 0; i < x.elements(); ++i) x.set(i, {static_cast<double>(i), 0});
  environment.tensors[0] = x;
  const RunResult result = run_loops(of, values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  return environment.tensor(values, 1);
}

// The program with less divisions; it gives the same and its text is read back.
Program reduced(const std::string& body) {
  const Program before = program(body);
  const Program after = strength_reduce(before);
  EXPECT_EQ(verify(after), std::vector<std::string>());
  for (const int64_t n : {1, 2, 3, 4, 7, 9}) EXPECT_EQ(run(after, n), run(before, n)) << n;
  EXPECT_EQ(parse(to_string(after), {}), after);
  return after;
}

TEST(StrengthReduce, CountsAlongTheInnermostLoop) {
  EXPECT_EQ(body_of(reduced("{ for i1 in 0 .. 60 { y[(i1 // 7), (i1 % 7)] = x[0, i1] } }")),
            "  for i1 in 0 .. 60 count q0, r1 of i1 by 7 moved by_axis step 1 {\n"
            "    y[(i1 // 7), (i1 % 7)] = x[0, i1]\n"
            "  }\n");
}

TEST(StrengthReduce, AQuotientOfAQuotientFollowsTheCarry) {
  const std::string text = body_of(
      reduced("{ for i1 in 0 .. 60 { y[((i1 // 3) // 4), ((i1 // 3) % 4)] = x[0, (i1 % 3)] } }"));
  EXPECT_NE(text.find("moved by_quotient step 1 with 1"), std::string::npos) << text;
}

TEST(StrengthReduce, WhatMovesOtherwiseIsBroughtBack) {
  const std::string text =
      body_of(reduced("{ for i1 in 0 .. 60 { y[0, i1] = x[((i1 // 7 + i1 % 7) // 5), 0] } }"));
  EXPECT_NE(text.find("moved by_much"), std::string::npos) << text;
}

TEST(StrengthReduce, StepsAndDivisorsMayBeSizesOfTheRun) {
  const std::string text = body_of(
      reduced("{ for i1 in 0 .. 7 { y[((i1 * n + 3) // n), ((i1 * n + 3) % n)] = x[0, i1] } }"));
  EXPECT_EQ(text.find("by_much"), std::string::npos) << text;
  const std::string other =
      body_of(reduced("{ for i1 in 0 .. 60 { y[(i1 // n), (i1 % n)] = x[0, i1] } }"));
  EXPECT_NE(other.find("of i1 by n moved by_axis step 1"), std::string::npos) << other;
}

TEST(StrengthReduce, WhatIsSettledIsNamedOutside) {
  const std::string text = body_of(reduced(
      "{ for i0 in 0 .. 60 { for i1 in 0 .. 4 { y[i0, i1] = x[(i0 // 7), (i0 % 7) + i1] } } }"));
  const size_t name = text.find("name q0 = (i0 // 7)"), inner = text.find("for i1");
  ASSERT_NE(name, std::string::npos) << text;
  EXPECT_LT(name, inner) << text;
  EXPECT_EQ(text.find("count"), std::string::npos) << text;
}

// A division of what a let sets is settled behind the let, not in front of it.
TEST(StrengthReduce, LetsSettleWhatFollowsThem) {
  const std::string text =
      body_of(reduced("{ for i0 in 0 .. 8 { let i2 = i0 * 5 for i1 in 0 .. 4 { y[i0, i1] = x[(i2 "
                      "// 3), i1] } } }"));
  const size_t let = text.find("let i2"), name = text.find("name q0 = (i2 // 3)");
  ASSERT_NE(name, std::string::npos) << text;
  EXPECT_LT(let, name) << text;
}

TEST(StrengthReduce, NothingIsCountedInStridedOrVectorLoops) {
  for (const char* kind : {"step 2", "vector", "unrolled"}) {
    const std::string text = body_of(reduced("{ for i1 in 0 .. 60 " + std::string(kind) +
                                             " { y[(i1 // 7), (i1 % 7)] = x[0, i1] } }"));
    EXPECT_EQ(text.find("count"), std::string::npos) << text;
  }
}

// The interpreter stops at an induction variable that says something else than indices do.
TEST(StrengthReduce, AWrongStepIsFound) {
  Program of =
      strength_reduce(program("{ for i1 in 0 .. 60 { y[(i1 // 7), (i1 % 7)] = x[0, i1] } }"));
  std::get<For>(of.body[0].node).inductions[0].step = 2;
  EXPECT_THROW(run(of, 4), InternalError);
}

// The same value, and what is named in front is what the size is made of, inside first.
TEST(NameSizes, NamesSizesAndLeavesLoopsAlone) {
  const Program before =
      program("{ for i1 in 0 .. 7 { y[min(n // 2, max(3, n - 4)), (i1 % 7)] = x[0, i1] } }");
  const Program after = name_sizes(before);
  EXPECT_EQ(verify(after), std::vector<std::string>());
  for (const int64_t n : {1, 4, 7, 9}) EXPECT_EQ(run(after, n), run(before, n)) << n;
  EXPECT_EQ(parse(to_string(after), {}), after);
  const std::string text = body_of(after);
  EXPECT_NE(text.find(" = (n // 2)\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" = max(3, n - 4)\n"), std::string::npos) << text;
  EXPECT_LT(text.find(" = (n // 2)\n"), text.find(" = min(")) << text;
  EXPECT_LT(text.find(" = min("), text.find("  for i1")) << text;
  // What moves with a loop has no name.
  EXPECT_EQ(text.find(" = (i1 % 7)"), std::string::npos) << text;
}

}  // namespace
}  // namespace burin::loops::loops_strength_reduce_test

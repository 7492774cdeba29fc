// Loops over whole vectors: what they compute is what the loop did, for every number of points;
// what has no form for vectors is refused, with the reason.
#include <gtest/gtest.h>

#include "kernel/tensor.h"
#include "loops/lanewise.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/transforms/vectorise.h"
#include "loops/verify/verify_program.h"
#include "select/programs/vectors.h"

namespace burin::loops::loops_vectorise_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "symbol n param 0..40 @17\n"
    "var i0 row < 3\nvar i1 column < 40\n"
    "buffer sums i32 [3, 40] argument of 0\n"
    "buffer scale f32 [3] argument of 1\n"
    "buffer beside u8 [3, 40] argument of 2\n"
    "buffer y u8 [3, 40] argument of 3 written\n"
    "buffer z f32 [3, 40] argument of 4 written\n";

constexpr Type kTypes[] = {Type::i32, Type::f32, Type::u8, Type::u8, Type::f32};

Program program(const std::string& row) {
  return parse(kHeader + ("{ for i0 in 0 .. 3 { for i1 in 0 .. n { " + row + " } } }"), {});
}

std::string refusal_of(const std::string& row) { return vectorise(program(row), 1, 8).refusal; }

std::vector<HostTensor> run(const Program& of, int64_t n) {
  std::vector<Value> values(5);
  Environment environment;
  environment.symbols["n"] = n;
  for (size_t v = 0; v < values.size(); ++v) {
    values[v].type = kTypes[v];
    values[v].shape = v == 1 ? std::vector<Dim>{3} : std::vector<Dim>{3, 40};
    values[v].kind = ValueKind::internal;
    HostTensor tensor =
        make_tensor(kTypes[v], v == 1 ? std::vector<int64_t>{3} : std::vector<int64_t>{3, 40});
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, {0.37 * static_cast<double>(i) - 20, v == 2 ? (7 * i) % 256 : 97 * i - 5000});
    environment.tensors[static_cast<ValueId>(v)] = tensor;
  }
  const RunResult result = run_loops(of, values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  return {environment.tensor(values, 3), environment.tensor(values, 4)};
}

const char* const kRequantised =
    "y[i0, i1] = u8.sat((round((f32((sums[i0, i1] - 3:i32)) * scale[i0])) + f32(beside[i0, 5])))";

TEST(Vectorise, ComputesTheSameForAnyNumberOfPoints) {
  for (const std::string& row :
       {std::string(kRequantised),
        std::string("z[i0, i1] = (max(f32(i32(beside[i0, i1])), 9) * scale[i0])"),
        std::string("z[i0, i1] = f32(i32(u8.sat((f32(sums[i0, i1]) / 7))))"),
        std::string(kRequantised) + " z[i0, i1] = neg(abs(f32(sums[i0, i1])))"}) {
    const Program before = program(row);
    const Change change = vectorise(before, 1, 8);
    ASSERT_TRUE(change.done()) << change.refusal << " " << row;
    EXPECT_EQ(change.text, "vectorise i1 by 8");
    EXPECT_EQ(verify(change.program), std::vector<std::string>());
    EXPECT_NE(to_string(change.program).find(" vector {"), std::string::npos);
    for (const int64_t n : {0, 1, 7, 8, 9, 16, 39, 40})
      EXPECT_EQ(run(change.program, n), run(before, n)) << n << " " << row;
  }
}

// What is left is a vector of which only the first lanes are there: also of a loop that is shorter
// than one.
TEST(Vectorise, WhatIsLeftIsMasked) {
  const Program before = program(kRequantised);
  const Change change = vectorise(before, 1, 8, Rest::masked);
  ASSERT_TRUE(change.done()) << change.refusal;
  EXPECT_EQ(verify(change.program), std::vector<std::string>());
  const std::string text = to_string(change.program);
  EXPECT_EQ(to_string(parse(text, {})), text);
  EXPECT_NE(text.find(".. n vector of 8 {"), std::string::npos) << text;
  for (const int64_t n : {0, 1, 7, 8, 9, 16, 39, 40})
    EXPECT_EQ(run(change.program, n), run(before, n)) << n;
  const Program few = parse(kHeader + ("{ for i0 in 0 .. 3 { for i1 in 8 .. 11 { " +
                                       std::string(kRequantised) + " } } }"),
                            {});
  EXPECT_EQ(vectorise(few, 1, 8).refusal, "it is shorter than a vector");
  const Change short_one = vectorise(few, 1, 8, Rest::masked);
  ASSERT_TRUE(short_one.done()) << short_one.refusal;
  EXPECT_EQ(run(short_one.program, 17), run(few, 17));
}

TEST(Vectorise, NothingIsLeftWhereVectorsFill) {
  const Program filled = parse(kHeader + ("{ for i0 in 0 .. 3 { for i1 in 8 .. 40 { " +
                                          std::string(kRequantised) + " } } }"),
                               {});
  const std::string text = to_string(vectorise(filled, 1, 8).program);
  EXPECT_EQ(text.find("for i1"), std::string::npos) << text;
}

TEST(Vectorise, RefusesWhatHasNoForm) {
  EXPECT_EQ(refusal_of("z[i0, i1] = log(f32(sums[i0, i1]))"), "log");
  EXPECT_EQ(refusal_of("z[i0, i1] = select((sums[i0, i1] < sums[0, i1]), f32(sums[i0, i1]), 0)"),
            "a choice that compares no floats");
  EXPECT_EQ(refusal_of("z[i1 % 3, i0] = f32(sums[i0, i1])"), "elements of z are not side by side");
  EXPECT_EQ(refusal_of("z[i0, i1] = f32(sums[i0, (i1 // 2)])"),
            "elements of sums are not side by side");
  EXPECT_EQ(refusal_of("z[i0, i1] += scale[i0]"), "it combines");
  EXPECT_EQ(refusal_of("z[i0, i1] = scale[i0]"), "it stores one value everywhere");
  EXPECT_EQ(refusal_of("y[i0, i1] = beside[i0, i1]"), "y is no limited float");
  EXPECT_EQ(refusal_of("if 0 <= i1 < 3 { z[i0, i1] = f32(sums[i0, i1]) }"),
            "it has more than stores");
  EXPECT_EQ(vectorise(program(kRequantised), 0, 2).refusal, "it has more than stores");
  EXPECT_EQ(vectorise(parse(kHeader + std::string("{ for i1 in 0 .. 7 { z[0, i1] = "
                                                  "f32(sums[0, i1]) } }"),
                            {}),
                      1, 8)
                .refusal,
            "it is shorter than a vector");
  EXPECT_EQ(vectorise(program(kRequantised), 9, 8).refusal, "there is not one loop of i9");
}

// Functions that vectors have, and choices between floats by floats.
TEST(Vectorise, TakesFunctionsAndChoices) {
  for (const char* row :
       {"z[i0, i1] = exp(f32(sums[i0, i1]))", "z[i0, i1] = tanh(erf(f32(sums[i0, i1])))",
        "z[i0, i1] = select((f32(sums[i0, i1]) < scale[i0]), scale[i0], 0)"})
    EXPECT_EQ(refusal_of(row), "") << row;
}

// Lanes of a register stay where they are, and nothing is stored there.
TEST(Vectorise, RegistersAreReadWhole) {
  const auto refusal = [](const std::string& row) {
    const Program one = parse(
        "program \"p\"\nvar i0 lane < 8\n"
        "buffer y f32 [2, 8] argument of 0 written\n"
        "buffer r i32 [2, 8] registers\n"
        "{ alloc r for i0 in 0 .. 8 { " +
            row + " } }",
        {});
    const auto* loop = std::get_if<For>(&one.body[1].node);
    return not_lanewise(one, std::get<Store>(loop->body[0].node), 0);
  };
  EXPECT_EQ(refusal("y[1, i0] = f32(r[1, i0])"), "");
  EXPECT_EQ(refusal("y[1, i0] = f32(r[1, 7 - i0])"), "lanes of r change places");
  EXPECT_EQ(refusal("r[1, i0] = (r[0, i0] + r[1, i0])"), "");
  EXPECT_EQ(refusal("r[1, 7 - i0] = (r[0, i0] + r[1, i0])"), "lanes of r change places");
}

// A point that reads what another one writes cannot be computed beside it.
TEST(Vectorise, PointsShareNothing) {
  EXPECT_EQ(refusal_of("z[i0, i1] = (z[i0, i1 + 1] * 2)"), "points of i1 (serial) share z");
}

// Each loop of a variable that several count with, and those whose elements are all bytes.
TEST(Vectorise, LoopsOfOneVariableGetTheirOwn) {
  const std::string loop = " for i1 in 0 .. n { ";
  const Program before = parse(
      kHeader + ("{ for i0 in 0 .. 3 {" + loop + "z[i0, i1] = f32(i32(beside[i0, i1])) }" + loop +
                 "y[i0, i1] = u8.sat((round((f32(i32(beside[i0, i1])) * 0.7)) + 3)) }" + loop +
                 "z[i0, i1] += 1 } } }"),
      {});
  const Program after = in_vectors(before, 8, false);
  EXPECT_EQ(verify(after), std::vector<std::string>());
  const std::string text = to_string(after);
  size_t vectors = 0;
  for (size_t at = 0; (at = text.find(" vector {", at)) != text.npos; ++at) ++vectors;
  EXPECT_EQ(vectors, 2) << text;
  for (const int64_t n : {0, 7, 8, 39, 40}) EXPECT_EQ(run(after, n), run(before, n)) << n;
}

// What is left of a row of functions is a vector in part, where a machine has masks; rows without a
// rest and arithmetic are left to compilers.
TEST(Vectorise, RestsOfRowsOfFunctionsAreMasked) {
  const auto in = [](const std::string& end, const std::string& value, bool masks) {
    const Program before = parse(kHeader + ("{ for i0 in 0 .. 3 { for i1 in 0 .. " + end +
                                            " { z[i0, i1] = " + value + " } } }"),
                                 {});
    const Program after = in_vectors(before, 8, masks);
    EXPECT_EQ(verify(after), std::vector<std::string>());
    EXPECT_EQ(run(after, 40), run(before, 40));
    return to_string(after).find(" vector ") != std::string::npos;
  };
  const std::string function = "exp(f32(sums[i0, i1]))", sum = "(f32(sums[i0, i1]) + 1)";
  EXPECT_TRUE(in("21", function, true));
  EXPECT_FALSE(in("21", function, false));
  EXPECT_FALSE(in("24", function, true));
  EXPECT_FALSE(in("21", sum, true));
}

}  // namespace
}  // namespace burin::loops::loops_vectorise_test

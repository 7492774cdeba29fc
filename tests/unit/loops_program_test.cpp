// Programs of loops: their text is read back, the verifier finds what is wrong with them, and
// run_loops() does what statements say. Expected values are worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "support/check.h"
#include "support/refusal.h"

namespace burin::loops::loops_program_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "symbol n param 1..64 @8\n"
    "scratch 128\n"
    "var i0 row < 8\nvar i1 column < 4\nvar i2 first < 9\n"
    "buffer x f32 [8, 4] argument of 0\n"
    "buffer y f32 [8, 4] argument of 1 written\n"
    "buffer a f32 [8] scratch at 0\n"
    "buffer b f32 [8] scratch at 64\n"
    "buffer sum f32 [] local\n"
    "buffer tile f32 [2, 4] registers buffer other f32 [2, 4] registers\n";

Program program(const std::string& body) { return parse(kHeader + body, {}); }

std::string first_fault(const std::string& body, const MachineLimits& limits = {}) {
  const std::vector<std::string> faults = verify(program(body), limits);
  return faults.empty() ? "" : faults[0];
}

TEST(LoopsText, ReadsBackWhatItWrites) {
  const Program one = program(
      "{ for i0 in 0 .. 8 step 2 unrolled { alloc sum sum[] = 0.5\n"
      "if 0 <= i0 < n - 1 { let i2 = min(i0, n) sum[] += (x[i0, 0] * exp(x[i2, 1])) }\n"
      "else { sum[] max= {0 <= i0 < 3: -1; else inf} } barrier scratch\n"
      "a[i0] = select((sum[] < 2), f32(i32.sat(sum[])), f32(i64[i0 + 1])) } }");
  const std::string text = to_string(one);
  EXPECT_EQ(to_string(parse(text, {})), text);
  EXPECT_EQ(parse(text, {}), one);
}

TEST(LoopsText, SaysWhereItCannotBeRead) {
  EXPECT_EQ(refusal([] { program("{ z[0] = 1 }"); }), ":13:4: error: unknown buffer 'z' [parse]");
  EXPECT_EQ(refusal([] { program("{ for i0 in 0 .. 8 step 0 { } }"); }),
            ":13:26: error: a step below 1 [parse]");
  EXPECT_EQ(refusal([] { program("{ call fma c: tile[0, 0 : 1, 4] }"); }),
            ":13:11: error: unknown instruction 'fma' [parse]");
}

TEST(LoopsVerify, FindsWhatIsWrong) {
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 { y[i0, 0] = x[i0, 0] } }"), "");
  EXPECT_EQ(first_fault("{ y[i0, 0] = 1 }"), "p: i0 is not set here");
  EXPECT_EQ(first_fault("{ sum[] = 1 }"), "p: sum is not allocated here");
  EXPECT_EQ(first_fault("{ alloc sum y[0, 0] = sum[] }"), "p: sum is read before it has a value");
  EXPECT_EQ(first_fault("{ x[0, 0] = 1 }"), "p: x is only read");
  EXPECT_EQ(first_fault("{ y[0] = 1 }"), "p: y has rank 2, not 1");
  EXPECT_EQ(first_fault("{ y[8, 0] = 1 }"), "p: 8 is outside of y");
  EXPECT_EQ(first_fault("{ y[0, 0] = 1:i32 }"), "p: a i32 goes to y, which has f32");
  EXPECT_EQ(first_fault("{ alloc tile for i0 in 0 .. 2 { tile[i0, 0] = 1 } }", {16}),
            "p: tile needs 32 bytes of registers, there are 16");
  // Registers are free again behind the last use.
  const std::string one = "alloc tile for i0 in 0 .. 2 { tile[i0, 0] = 1 }\n",
                    other = "alloc other for i1 in 0 .. 2 { other[i1, 0] = 1 }\n",
                    reads = "y[0, 0] = tile[0, 0]\n";
  EXPECT_EQ(first_fault("{ " + one + other + "}", {32}), "");
  EXPECT_EQ(first_fault("{ " + one + reads + other + "}", {32}), "");
  EXPECT_EQ(first_fault("{ " + one + other + reads + "}", {32}),
            "p: other needs 64 bytes of registers, there are 32");
  EXPECT_EQ(first_fault("{ " + one + other + reads + "}", {64}), "");
}

TEST(LoopsVerify, NamesCountersAndPartsAreWhatTheySay) {
  EXPECT_EQ(first_fault("{ name q = n // 2 for i0 in 0 .. 8 { y[i0, 0] = 1 } }"), "");
  EXPECT_EQ(first_fault("{ name a = n // 2 }"), "p: two things are called a");
  EXPECT_EQ(first_fault("{ name q = n // 2 name q = n // 3 }"), "p: two things are called q");
  EXPECT_EQ(first_fault("{ name q = i0 // 2 }"), "p: i0 is not set here");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 count q, r of i0 by i0 moved by_axis step 1 { } }"),
            "p: i0 is not set here");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 count q, r of i0 by 3 moved by_axis step i0 { } }"),
            "p: i0 is not set here");
  EXPECT_EQ(
      first_fault("{ for i0 in 0 .. 8 count q, r of i0 by 3 moved by_quotient step 1 with 0 { } }"),
      "p: q follows no induction variable before it");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread to i2 { let i2 = min(i0 + 1, 8) } }"), "");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread to i2 { y[i0, 0] = 1 } }"),
            "p: i2 ends no part of a loop that threads share");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 to i2 { let i2 = min(i0 + 1, 8) } }"),
            "p: i2 ends no part of a loop that threads share");
}

TEST(LoopsVerify, BuffersInScratchDoNotOverlap) {
  Program one = program("{ a[0] = 1 }");
  one.buffers[3].offset = 28;
  EXPECT_EQ(verify(one), std::vector<std::string>{"p: a and b may overlap"});
}

// What is not there at the same time may share bytes, unless compilers are told otherwise.
TEST(LoopsVerify, BuffersThatAreToldApartNeverOverlap) {
  Program one =
      program("{ if 0 <= n < 3 { alloc a a[0] = 1 } if 0 <= n < 4 { alloc b b[0] = 1 } }");
  one.buffers[3].offset = one.buffers[2].offset;
  EXPECT_EQ(verify(one), std::vector<std::string>{});
  one.told_apart = true;
  EXPECT_EQ(verify(one), std::vector<std::string>{"p: a and b may overlap"});
  EXPECT_EQ(parse(to_string(one), {}), one);
}

TEST(LoopsVerify, PointsOfThreadsShareNothing) {
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread { y[i0, 0] = x[0, 0] } }"), "");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread { y[0, 0] = x[i0, 0] } }"),
            "p: points of i0 (thread) share y");
  // Blocks of two that overlap by one, and that do not.
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 3 thread { for i1 in 0 .. 3 { y[2*i0 + i1, 0] = 1 } } }"),
            "p: points of i0 (thread) share y");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 3 thread { for i1 in 0 .. 2 { y[2*i0 + i1, 0] = 1 } } }"),
            "");
  // What a neighbour writes is read.
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 7 thread { y[i0, 0] = y[i0 + 1, 0] } }"),
            "p: points of i0 (thread) share y");
  // Scratch is shared, unless the loop allocates it; one axis may be spread over two dimensions.
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread { a[0] = 1 y[i0, 0] = a[0] } }"),
            "p: points of i0 (thread) share a");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread { alloc a a[0] = 1 y[i0, 0] = a[0] } }"), "");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread { y[(i0 // 4), (i0 % 4)] = 1 } }"), "");
  EXPECT_EQ(first_fault("{ for i0 in 0 .. 8 thread { y[(i0 // 4), (i0 % 2)] = 1 } }"),
            "p: points of i0 (thread) share y");
}

// x is 0, 1, 2 ... row by row.
HostTensor run(const std::string& body) {
  std::vector<Value> values(2);
  for (Value& value : values) {
    value.type = Type::f32;
    value.shape = {8, 4};
    value.kind = ValueKind::internal;
  }
  Environment environment;
  environment.symbols["n"] = 3;
  std::vector<double> numbers;
  for (int i = 0; i < 32; ++i) numbers.push_back(i);
  environment.tensors[0] = make_tensor(Type::f32, {8, 4}, numbers);
  EXPECT_EQ(run_loops(program(body), values, environment).status, kRunOk);
  return environment.tensor(values, 1);
}

// Parts of one step, of two and of three: each says where it ends.
TEST(LoopsRun, PartsOfThreadsMayHaveSeveralSteps) {
  const HostTensor ends = run(
      "{ for i0 in 0 .. 8 thread to i2 { let i2 = min(i0 + 1, 8) y[i0, 0] = f32(i64[i2 - 1]) } }");
  for (const auto& [first, last] : std::vector<std::pair<int, int>>{{0, 1}, {2, 4}, {5, 5}, {6, 7}})
    EXPECT_EQ(ends.get(4 * first).number, last) << first;
  EXPECT_TRUE(std::isnan(ends.get(4).number)) << "the second point is of the first part";
}

// All lanes of a statement come before the next statement.
TEST(LoopsRun, LanesGoStatementByStatement) {
  const HostTensor rows =
      run("{ for i1 in 0 .. 4 { y[1, i1] = 0 }\n"
          "for i1 in 0 .. 4 vector { y[0, i1] = x[1, i1] y[1, 0] = y[0, 3] } }");
  EXPECT_EQ(rows.get(4).number, 7);
}

TEST(LoopsRun, DoesWhatStatementsSay) {
  const HostTensor sums =
      run("{ for i0 in 0 .. 8 { alloc sum sum[] = 0 for i1 in 0 .. 4 { sum[] += x[i0, i1] }\n"
          "if 0 <= i0 < n { y[i0, 0] = sum[] } else { y[i0, 0] = -1 } } }");
  EXPECT_EQ(sums.get(0).number, 6);
  EXPECT_EQ(sums.get(8).number, 38);
  EXPECT_EQ(sums.get(12).number, -1);
  EXPECT_TRUE(std::isnan(sums.get(1).number)) << "what was not written is no number";
}

TEST(LoopsRun, OverlappingScratchIsWrongThere) {
  Program one = program("{ a[0] = 1 b[0] = 2 y[0, 0] = a[0] }");
  one.buffers[3].offset = 0;
  std::vector<Value> values(2);
  for (Value& value : values) value = {"v", Type::f32, {8, 4}, ValueKind::internal, {}, {}};
  Environment environment;
  environment.symbols["n"] = 3;
  environment.tensors[0] = make_tensor(Type::f32, {8, 4});
  EXPECT_EQ(run_loops(one, values, environment).status, kRunOk);
  EXPECT_EQ(environment.tensor(values, 1).get(0).number, 2);
}

TEST(LoopsRun, AnIndexOutsideIsFound) {
  EXPECT_THROW(run("{ for i0 in 0 .. 8 { y[i0 + n, 0] = 1 } }"), InternalError);
  EXPECT_THROW(run("{ let i2 = 3*n y[0, 0] = 1 }"), InternalError);
}

}  // namespace
}  // namespace burin::loops::loops_program_test

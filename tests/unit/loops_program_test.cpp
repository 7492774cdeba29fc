// Programs of loops: their text is read back, the verifier finds what is wrong with them, and
// run_loops() does what statements say. Expected values are worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "isa/all_rows.h"
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

// Registers of a unit for matrices have no names in code: one matrix at a time, while it is open.
TEST(LoopsVerify, AUnitForMatricesIsOpenedAndHasOneAtATime) {
  const auto fault = [](const std::string& body) {
    const std::vector<std::string> all = verify(
        parse("program \"p\"\nvar i0 i0 < 8\nbuffer a i8 [2048] argument of 0\n"
              "buffer b u8 [2048] argument of 1\nbuffer to i32 [16, 16] argument of 2 written\n"
              "buffer c i32 [16, 16] registers buffer d i32 [16, 16] registers\n{ " +
                  body + " }",
              isa::all_rows()));
    return all.empty() ? "" : all[0];
  };
  const std::string
      open = "call open_matrix_16x16 groups=16\n",
      close = "call close_matrix\n",
      zero = "alloc c call zero_matrix_16x16_i32 c: c[0, 0 : 16, 16]\n",
      add =
          "call add_matrix_16x16_i8_u8 groups=16 pitch_a=64 pitch_b=64 c: c[0, 0 : 16, 16], "
          "a: a[0 : 1024], b: b[0 : 1024]\n",
      store = "call store_matrix_16x16_i32 to: to[0, 0 : 16, 16], c: c[0, 0 : 16, 16]\n";
  EXPECT_EQ(fault(open + zero + add + store + close), "");
  EXPECT_EQ(fault(open + "for i0 in 0 .. 8 { " + zero + add + store + " }" + close), "");
  EXPECT_EQ(fault(zero + add + store),
            "p: zero_matrix_16x16_i32: the unit for matrices is not open");
  EXPECT_EQ(fault(open + zero), "p: the unit for matrices stays open");
  EXPECT_EQ(fault(open + open + close), "p: open_matrix_16x16: the unit for matrices is open");
  EXPECT_EQ(fault(close), "p: close_matrix: the unit for matrices is not open");
  EXPECT_EQ(fault(open + "for i0 in 0 .. 8 { " + close + " }"),
            "p: the unit for matrices is not left as it was by a loop");
  EXPECT_EQ(fault("call open_matrix_32x16 groups=16\n" + zero + close),
            "p: zero_matrix_16x16_i32: the unit for matrices is open for another shape");
  EXPECT_EQ(fault("call open_matrix_16x16 groups=8\n" + zero + add + close),
            "p: add_matrix_16x16_i8_u8: the unit for matrices is open for steps of 8 groups");
  EXPECT_EQ(fault(open + "for i0 in 0 .. 8 thread { " + zero + " }" + close),
            "p: a thread has no unit for matrices that another opened");
  EXPECT_EQ(fault(open + zero + "alloc d call zero_matrix_16x16_i32 c: d[0, 0 : 16, 16]\n" + close),
            "p: d and c are both in the unit for matrices");
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

// With variables and buffers of its own, and instructions.
std::string first_fault_of(const std::string& vars, const std::string& buffers,
                           const std::string& body) {
  const std::vector<std::string> faults =
      verify(parse("program \"p\"\nvar i0 part < 3\nvar i1 lane < 2\n" + vars + buffers + body,
                   isa::all_rows()));
  return faults.empty() ? "" : faults[0];
}

// A part of 3 of 8 rows, in whole vectors of 2 and the rest: the last part is shorter.
std::string in_vectors(const std::string& end) {
  return "buffer y f32 [8] argument of 0 written\n"
         "{ for i0 in 0 .. 3 thread { let i2 = min(8, 3*i0 + 3)\n"
         "let i3 = 3*i0 + 2*(max(0, " +
         end +
         " - 3*i0) // 2)\n"
         "for i4 in 3*i0 .. i3 step 2 { for i1 in 0 .. 2 vector { y[i4 + i1] = 1 } }\n"
         "for i5 in i3 .. i2 { y[i5] = 1 } } }";
}

TEST(LoopsVerify, VectorsAndTheRestOfAPartLieInIt) {
  const std::string vars =
      "var i2 part_end < 9\nvar i3 whole < 11\nvar i4 in_vectors < 8\nvar i5 rest < 8\n";
  EXPECT_EQ(first_fault_of(vars, "", in_vectors("i2")), "");
  EXPECT_EQ(first_fault_of(vars, "", in_vectors("4 + i2")), "p: points of i0 (thread) share y");
}

// A line of memory that is asked for is no value: whoever writes it may do so meanwhile.
TEST(LoopsVerify, AskingForALineIsNoRace) {
  EXPECT_EQ(first_fault_of("", "buffer y f32 [3, 4] argument of 0 written\n",
                           "{ for i0 in 0 .. 3 thread { y[i0, 0] = 1\n"
                           "call prefetch ahead=0 from: y[min(2, i0 + 1), 0 : 1, 1] } }"),
            "");
}

const char* const kPlaces = "var i2 unused < 1\nvar i3 place < 32\nvar i4 part_end < 33\n";

// Bytes that run on from one row of four into the next, in pieces of `step`.
std::string looked_up(int step, int count) {
  const std::string n = std::to_string(count), at = "[(i3 // 4), (i3 % 4) : 1, " + n + "]";
  return "buffer from u8 [8, 4] argument of 2\nbuffer table u8 [256] argument of 3\n"
         "buffer to u8 [8, 4] argument of 4 written\n"
         "{ for i0 in 0 .. 3 thread { let i4 = min(32, 12*i0 + 12)\n"
         "for i3 in 12*i0 .. i4 step " +
         std::to_string(step) + " { call look_up_u8_as_u8 count=" + n + " to: to" + at +
         ", from: from" + at + ", table: table[0 : 256] } } }";
}

TEST(LoopsVerify, WhatRunsOnStaysInItsPart) {
  // The last part has 8 of 12.
  EXPECT_EQ(first_fault_of(kPlaces, "", looked_up(4, 4)), "");
  EXPECT_EQ(first_fault_of(kPlaces, "", looked_up(2, 2)), "");
  EXPECT_EQ(first_fault_of(kPlaces, "", looked_up(4, 5)), "p: points of i0 (thread) share to");
  // Of parts that are no whole pieces the last piece ends in the next part.
  EXPECT_EQ(first_fault_of(kPlaces, "", looked_up(8, 8)), "p: points of i0 (thread) share to");
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

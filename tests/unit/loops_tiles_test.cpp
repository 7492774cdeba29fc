// What programs of tiles rest on: calls as their meanings, outlined functions, scratch that
// blocks share, and points of threads under the conditions around them.
#include <gtest/gtest.h>

#include "isa/all_rows.h"
#include "loops/program_text.h"
#include "loops/run/expand_calls.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"

namespace burin::loops::loops_tiles_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "symbol n param 1..64 @8\n"
    "scratch 128\n"
    "var i0 first < 72\nvar i1 last < 65\nvar i2 block < 68\nvar i3 row < 3\nvar i4 depth < 3\n"
    "var i5 outside < 2\n"
    "buffer x f32 [64, 4] argument of 0\n"
    "buffer y f32 [64, 4] argument of 1 written\n"
    "buffer a f32 [8] scratch at 0\n"
    "buffer b f32 [4] scratch at 64\n"
    "buffer sum f32 [] local\n"
    "buffer tile f32 [3, 4] registers\n"
    "buffer array f32 [3, 4] stack\n"
    "buffer other f32 [4] stack\n";

Program program(const std::string& body) { return parse(kHeader + body, isa::all_rows()); }

std::string first_fault(const std::string& body) {
  const std::vector<std::string> faults = verify(program(body));
  return faults.empty() ? "" : faults[0];
}

// x is 1, 2, 3 ... row by row.
HostTensor run(const std::string& body) {
  std::vector<Value> values(2);
  for (Value& value : values) value = {"v", Type::f32, {64, 4}, ValueKind::internal, {}, {}};
  Environment environment;
  environment.symbols["n"] = 3;
  environment.tensors[0] = make_tensor(Type::f32, {64, 4});
  for (int i = 0; i < 256; ++i) environment.tensors[0].set(i, {static_cast<double>(i + 1), 0});
  const RunResult result = run_loops(program(body), values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  return environment.tensor(values, 1);
}

// tile[r, j] = x[r, 0] * x[3, j] + x[r, 1] * x[4, j]
const std::string kSums =
    "alloc tile for i3 in 0 .. 3 unrolled { call zero_f32x4 c: tile[i3, 0 : 1, 4] }\n"
    "for i4 in 0 .. 2 { for i3 in 0 .. 3 unrolled {\n"
    "call add_product_f32x4 c: tile[i3, 0 : 1, 4], a: x[i3, i4 : 1, 1], b: x[i4 + 3, 0 : 1, 4] } "
    "}\n";

TEST(LoopsTiles, CallsAreWhatTheyMean) {
  const HostTensor y = run("{ " + kSums +
                           "for i3 in 0 .. 3 unrolled { call store_f32x4 to: y[i3 + 2, 0 : 1, 4], "
                           "c: tile[i3, 0 : 1, 4] }"
                           " call greatest_f32x4 c: tile[0, 0 : 1, 4], b: x[20, 0 : 1, 4]"
                           " call add_sums_f32x4 c: tile[0, 0 : 1, 4], b: tile[1, 0 : 1, 4]"
                           " call store_f32x4 to: y[0, 0 : 1, 4], c: tile[0, 0 : 1, 4] }");
  for (int j = 0; j < 4; ++j) {
    const double at = 13 + j, below = 17 + j;
    for (int r = 0; r < 3; ++r)
      EXPECT_EQ(y.get(4 * (r + 2) + j).number, (4 * r + 1) * at + (4 * r + 2) * below) << r << j;
    EXPECT_EQ(y.get(j).number, std::max(at + 2 * below, 81.0 + j) + 5 * at + 6 * below);
  }
}

// Each instruction once, however often it is called; and nothing else is left of it.
TEST(LoopsTiles, CallsOfOneRowShareWhatTheyNeed) {
  const Program one = program("{ " + kSums + " }"), expanded = expand_calls(one);
  EXPECT_LE(expanded.vars.size(), one.vars.size() + 2);
  for_each(expanded.body,
           [](const Stmt& stmt) { EXPECT_FALSE(std::holds_alternative<Call>(stmt.node)); });
}

TEST(LoopsTiles, OutlinedLoopsHaveOnePointAndWriteToMemory) {
  const std::string spill =
      "for i3 in 0 .. 3 unrolled { call store_f32x4 to: array[i3, 0 : 1, 4], c: tile[i3, 0 : 1, 4] "
      "}";
  EXPECT_EQ(first_fault("{ alloc array for i5 in 0 .. 1 outlined { " + kSums + spill +
                        " } y[0, 0] = array[2, 3] }"),
            "");
  EXPECT_EQ(first_fault("{ alloc array for i5 in 0 .. 2 outlined { " + kSums + spill + " } }"),
            "p: i5 is outlined and has not one point");
  EXPECT_EQ(first_fault("{ alloc sum sum[] = 0 for i5 in 0 .. 1 outlined { sum[] = 1 } }"),
            "p: sum is touched by i5, which is outlined");
  EXPECT_EQ(first_fault("{ " + kSums + "alloc array for i5 in 0 .. 1 outlined { " + spill + " } }"),
            "p: tile is touched by i5, which is outlined");
  // One array of the function is passed; pointers come by themselves.
  EXPECT_EQ(first_fault("{ alloc array for i5 in 0 .. 1 outlined { array[0, 0] = a[0] } }"), "");
  EXPECT_EQ(first_fault("{ alloc array alloc other for i5 in 0 .. 1 outlined { array[0, 0] = 1 "
                        "other[0] = 1 } }"),
            "p: i5 is outlined and touches 2 arrays of the function");
}

TEST(LoopsTiles, BlocksThatStandBesideEachOtherShareScratch) {
  const auto fault = [](const std::string& body) {
    Program one = program(body);
    one.buffers[3].offset = 16;  // b lies inside of a
    const std::vector<std::string> faults = verify(one);
    return faults.empty() ? "" : faults[0];
  };
  EXPECT_EQ(fault("{ if 0 <= n < 3 { alloc a a[0] = 1 } else { alloc b b[0] = 1 } }"), "");
  EXPECT_EQ(fault("{ alloc a a[0] = 1 if 0 <= n < 3 { alloc b b[0] = 1 } }"),
            "p: a and b may overlap");
  // What is not allocated is there from the beginning.
  EXPECT_EQ(fault("{ a[0] = 1 if 0 <= n < 3 { alloc b b[0] = 1 } }"), "p: a and b may overlap");
}

// Threads have 8 rows each, in blocks of 3, of which the last one reaches beyond the part.
TEST(LoopsTiles, ConditionsKeepPointsOfThreadsApart) {
  const auto parts = [](const std::string& of_block) {
    return first_fault(
        "{ for i0 in 0 .. n step 8 thread to i1 { let i1 = min(i0 + 8, n)\n"
        "for i2 in i0 .. i1 step 3 { " +
        of_block + " } } }");
  };
  const std::string rows = "for i3 in 0 .. 3 { y[i2 + i3, 0] = 1 }";
  EXPECT_EQ(parts(rows), "p: points of i0 (thread) share y");
  EXPECT_EQ(parts("if 0 <= i2 + 2 < i1 { " + rows + " }"), "");
  // One row short of that, and where the condition fails.
  EXPECT_EQ(parts("if 0 <= i2 + 1 < i1 { " + rows + " }"), "p: points of i0 (thread) share y");
  EXPECT_EQ(parts("if 0 <= i2 + 2 < i1 { y[i2, 1] = 1 } else { " + rows + " }"),
            "p: points of i0 (thread) share y");
  EXPECT_EQ(parts("if 0 <= i2 + 2 < n { " + rows + " }"), "p: points of i0 (thread) share y");
}

}  // namespace
}  // namespace burin::loops::loops_tiles_test

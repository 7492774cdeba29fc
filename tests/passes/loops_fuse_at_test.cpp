// What fills a buffer inside of the loop that reads it: the same results from less memory; what
// would compute something else is refused, with the reason.
#include <gtest/gtest.h>

#include "loops/program_text.h"
#include "loops/transforms/fuse_at.h"
#include "loops/transforms/split_loop.h"
#include "loops/verify/verify_program.h"
#include "passes/support/run_rows.h"

namespace burin::loops::loops_fuse_at_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "symbol n param 0..40 @17\n"
    "scratch 768\n"
    "var i0 row < 3\nvar i1 column < 40\nvar i2 point < 40\nvar i3 line < 3\nvar i4 along < 40\n"
    "buffer x f32 [3, 40] argument of 0\n"
    "buffer y f32 [3, 40] argument of 1 written\n"
    "buffer z f32 [3, 40] argument of 2 written\n"
    "buffer kept f32 [40] scratch at 0\n"
    "buffer sums f32 [3] scratch at 192\n"
    "buffer one f32 [] local\n"
    "buffer plane f32 [3, 40] scratch at 256\n";
constexpr BufferId kKept = 3, kSums = 4, kPlane = 6;

Program program(const std::string& body) { return parse(kHeader + body, {}); }

void expect_same(const Change& change, const Program& before) {
  ASSERT_TRUE(change.done()) << change.refusal;
  EXPECT_EQ(verify(change.program), std::vector<std::string>()) << to_string(change.program);
  for (const int64_t n : {0, 1, 5, 40})
    EXPECT_EQ(run_rows(change.program, 3, {{"n", n}}), run_rows(before, 3, {{"n", n}}))
        << n << to_string(change.program);
}

// A window over what is made of a row: a point reads three elements, the ends have less.
const char* const kWindow =
    "{ for i0 in 0 .. 3 {\n"
    "for i2 in 0 .. 40 { kept[i2] = (x[i0, i2] * 3) }\n"
    "for i1 in 1 .. 39 { y[i0, i1] = ((kept[i1 - 1] + kept[i1]) + kept[i1 + 1]) } } }";

TEST(FuseAt, APointComputesWhatItReads) {
  const Program before = program(kWindow);
  const Change change = fuse_at(before, kKept, 1);
  expect_same(change, before);
  EXPECT_EQ(change.text, "fuse kept at i1");
  const Buffer& kept = change.program.buffers[kKept];
  EXPECT_EQ(kept.shape, std::vector<Dim>{3});
  EXPECT_EQ(kept.scope, Scope::stack);
}

TEST(FuseAt, ATileComputesItsPart) {
  const Program before = program(
      "{ for i0 in 0 .. 3 {\n"
      "for i2 in 0 .. 40 { kept[i2] = (x[i0, i2] * 3) }\n"
      "for i1 in 0 .. 40 { y[i0, i1] = (kept[i1] + 1) } } }");
  const Change tiles = split(before, 1, 8);
  ASSERT_TRUE(tiles.done()) << tiles.refusal;
  const Change change = fuse_at(tiles.program, kKept, tiles.vars[0]);
  expect_same(change, before);
  EXPECT_EQ(change.program.buffers[kKept].shape, std::vector<Dim>{8});
}

TEST(FuseAt, SumsAreMadeWhereTheirRowIs) {
  const Program before = program(
      "{ for i3 in 0 .. 3 { alloc one one[] = 0 for i2 in 0 .. n { one[] += x[i3, i2] }\n"
      "sums[i3] = one[] }\n"
      "for i0 in 0 .. 3 { for i1 in 0 .. n { y[i0, i1] = (x[i0, i1] / sums[i0]) } } }");
  const Change change = fuse_at(before, kSums, 0);
  expect_same(change, before);
  EXPECT_EQ(change.program.buffers[kSums].shape, std::vector<Dim>{1});
  EXPECT_EQ(change.program.body.size(), 1U);
}

TEST(FuseAt, APlaneBecomesARow) {
  const Program before = program(
      "{ for i4 in 0 .. 40 { for i3 in 0 .. 3 { plane[i3, i4] = (x[i3, i4] + 2) } }\n"
      "for i0 in 0 .. 3 { for i1 in 0 .. 40 { y[i0, i1] = (plane[i0, 39 - i1] * 5) } } }");
  const Change change = fuse_at(before, kPlane, 0);
  expect_same(change, before);
  EXPECT_EQ(change.program.buffers[kPlane].shape, (std::vector<Dim>{1, 40}));
}

// What a condition keeps from being read is not made.
TEST(FuseAt, WhatLiesOutsideIsLeftOut) {
  const Program before = program(
      "{ for i0 in 0 .. 3 {\n"
      "for i2 in 0 .. 40 { kept[i2] = (x[i0, i2] * 3) }\n"
      "for i1 in 0 .. 40 { if 2 <= i1 < 38 { y[i0, i1] = (kept[i1 - 2] + kept[i1 + 2]) } } } }");
  const Change change = fuse_at(before, kKept, 1);
  expect_same(change, before);
  EXPECT_EQ(change.program.buffers[kKept].shape, std::vector<Dim>{5});
}

TEST(FuseAt, RefusesWhatWouldBeSomethingElse) {
  const auto refusal = [](const std::string& filling, const std::string& reading,
                          BufferId buffer = kKept, int var = 1) {
    return fuse_at(program("{ for i0 in 0 .. 3 { " + filling + reading + " } }"), buffer, var)
        .refusal;
  };
  const std::string fill = "for i2 in 0 .. 40 { kept[i2] = (x[i0, i2] * 3) }\n",
                    read = "for i1 in 0 .. 40 { y[i0, i1] = kept[i1] }\n";
  EXPECT_EQ(refusal(fill, read), "");
  EXPECT_EQ(refusal(fill, read + "z[i0, 0] = kept[0]\n"), "others read kept");
  EXPECT_EQ(refusal("z[i0, 0] = kept[0]\n" + fill, read), "others read kept");
  EXPECT_EQ(refusal(read, fill), "the loop does not stand behind what fills kept");
  EXPECT_EQ(refusal(fill + "kept[0] = 1\n", read),
            "kept is not filled by one statement of the program");
  EXPECT_EQ(refusal("for i2 in 1 .. 40 { kept[i2] = (x[i0, i2] * 3) }\n", read),
            "not all of kept is filled by plain loops");
  EXPECT_EQ(refusal("for i2 in 0 .. 40 { kept[39 - i2] = (x[i0, i2] * 3) }\n", read),
            "its elements are not stored point by point");
  EXPECT_EQ(refusal("for i2 in 0 .. 40 { kept[i2] = x[i0, i2] z[i0, i2] = 2 }\n", read),
            "z is filled with kept");
  // The loop writes what would be read again.
  EXPECT_EQ(refusal("for i2 in 0 .. 40 { kept[i2] = (y[i0, i2] * 3) }\n", read),
            "y is written behind it");
  EXPECT_EQ(refusal(fill,
                    "for i1 in 0 .. 40 { y[i0, i1] = (kept[{i32(x[i0, i1]) in 0..39}] + kept[i1]) "
                    "}\n"),
            "what a point reads of kept is no box of known extent");
  EXPECT_EQ(refusal(fill, read, kKept, 9), "there is not one loop of i9");
  EXPECT_EQ(refusal("", "for i1 in 0 .. 40 { y[i0, i1] = x[i0, i1] z[i0, i1] = y[i0, i1] }\n", 1),
            "y is not filled by one statement of the program");
}

}  // namespace
}  // namespace burin::loops::loops_fuse_at_test

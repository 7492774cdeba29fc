// Work-groups and work-items in programs: what they do between barriers, what they share, images
// and their texels, lanes of a work-item.
#include <gtest/gtest.h>

#include "isa/all_rows.h"
#include "loops/program_text.h"
#include "loops/run/expand_items.h"
#include "loops/run/inward.h"
#include "loops/transforms/texels.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "passes/support/run_rows.h"

namespace burin::loops::loops_items_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "var i0 row < 3\nvar i1 item < 40\nvar i2 lane < 4\nvar i3 four < 10\nvar i4 e < 40\n"
    "var i5 part < 5\n"
    "buffer x f32 [3, 40] argument of 0\n"
    "buffer y f32 [3, 40] argument of 1 written\n"
    "buffer shared f32 [40] group\n"
    "buffer own f32 [] local\n";

Program program(const std::string& body) {
  return parse(kHeader + ("{ " + body + " }"), isa::all_rows());
}
Program of_group(const std::string& item) {
  return program("for i0 in 0 .. 3 group { alloc shared for i1 in 0 .. 40 item { " + item + " } }");
}
std::vector<HostTensor> run(const Program& of) { return run_rows(of, 2); }
double x_at(int64_t row, int64_t column) {
  return static_cast<double>((40 * row + column) % 7) / 4;
}

// Every row backwards, by way of what the group shares.
const char* const kBackwards = "shared[i1] = x[i0, i1] barrier group y[i0, i1] = shared[-i1 + 39]";

TEST(Items, SeeWhatOthersWroteBeforeABarrier) {
  const Program backwards = of_group(kBackwards);
  EXPECT_EQ(verify(backwards), std::vector<std::string>());
  EXPECT_EQ(to_string(parse(to_string(backwards), isa::all_rows())), to_string(backwards));
  const std::vector<HostTensor> got = run(backwards);
  for (int64_t row = 0; row < 3; ++row) {
    for (int64_t column = 0; column < 40; ++column)
      EXPECT_EQ(got[1].get(40 * row + column).number, x_at(row, 39 - column));
  }
}

TEST(Items, WithoutTheBarrierShareWhatTheyWrite) {
  EXPECT_EQ(verify(of_group("shared[i1] = x[i0, i1] y[i0, i1] = shared[-i1 + 39]")),
            std::vector<std::string>{"p: points of i1 (item) share shared"});
  // Behind it, too: the next row's elements come where this row's are read.
  EXPECT_EQ(verify(program("alloc shared for i1 in 0 .. 40 item { for i0 in 0 .. 3 { " +
                           std::string(kBackwards) + " } }")),
            std::vector<std::string>());
  EXPECT_EQ(verify(program("alloc shared for i1 in 0 .. 40 item { for i0 in 0 .. 3 { "
                           "y[i0, i1] = shared[-i1 + 39] shared[i1] = x[i0, i1] } }")),
            std::vector<std::string>{"p: points of i1 (item) share shared"});
}

TEST(Items, KeepTheirOwnAcrossABarrier) {
  const Program kept = of_group(
      "alloc own own[] = x[i0, i1] shared[i1] = x[i0, i1] barrier group "
      "y[i0, i1] = (own[] + shared[-i1 + 39])");
  EXPECT_EQ(verify(kept), std::vector<std::string>());
  EXPECT_EQ(run(kept)[1].get(3).number, x_at(0, 3) + x_at(0, 36));
  const Program apart = expand_items(kept);
  EXPECT_EQ(apart.buffers[3].shape, std::vector<Dim>{40});  // one for each item
  for_each(apart.body,
           [](const Stmt& stmt) { EXPECT_FALSE(std::holds_alternative<Barrier>(stmt.node)); });
}

TEST(Items, AreApartWhateverCountsTheirPoints) {
  const auto faults = [](const std::string& body) { return verify(program(body)); };
  const std::vector<std::string> none;
  // Digits, turns n points apart, quotient and remainder, a number on the way, one point alone.
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { let i2 = i1 % 4 let i3 = i1 // 4 "
                   "y[0, 10*i2 + i3] = 1 }"),
            none);
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i4 in i5 .. 40 step 5 { y[0, i4] = 1 } }"), none);
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { y[i1 // 20, i1 % 20] = 1 }"), none);
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i2 in 0 .. 4 { let i4 = 4*i5 + i2 "
                   "y[i4 // 20, i4 % 20] = 1 } }"),
            none);
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { if 0 <= i1 < 1 { y[0, 0] = 1 } }"), none);
  // The same x for all points: rows of the step before and of this one.
  EXPECT_EQ(faults("for i0 in 0 .. 3 { for i1 in 0 .. 40 item { "
                   "y[i0 % 2, i1] = y[(i0 + 1) % 2, -i1 + 39] } }"),
            none);
  const std::vector<std::string> share_i1{"p: points of i1 (item) share y"},
      share_i5{"p: points of i5 (item) share y"};
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { let i2 = i1 % 4 let i3 = i1 // 4 "
                   "y[0, i2 + i3] = 1 }"),
            share_i1);
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i4 in i5 .. 40 step 4 { y[0, i4] = 1 } }"),
            share_i5);
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { y[i1 // 20, i1 % 10] = 1 }"), share_i1);
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i2 in 0 .. 4 { let i4 = 4*i5 + i2 "
                   "y[1, i4 // 5] = 1 } }"),
            share_i5);
  // What counts the points is not all that an element moves with.
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i2 in 0 .. 4 { let i4 = i5 + 5*i2 "
                   "y[1, -3*i2 + i4 + 9] = 1 } }"),
            share_i5);
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i4 in i5 .. 35 step 5 { y[i4 // 20, i4 % 20] = "
                   "y[0, -i5 + 4] } }"),
            share_i5);
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i4 in i5 .. 40 step 5 { y[0, i4 - i5] = 1 } }"),
            share_i5);
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { let i2 = i1 % 4 let i3 = i1 // 4 "
                   "y[0, i2 + 4*i3 - i1 + 5] = 1 }"),
            share_i1);
  // What a condition looks at.
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { if 1 <= {i64(y[0, 0]) in 0..9} < 9 { "
                   "for i4 in i5 .. 40 step 5 { y[0, i4] = 1 } } }"),
            share_i5);
  EXPECT_EQ(faults("for i5 in 0 .. 5 item { for i2 in 0 .. 4 { "
                   "if 1 <= {i64(y[0, 0]) in 0..9} < 9 { let i4 = 4*i5 + i2 "
                   "y[i4 // 20, i4 % 20] = 1 } } }"),
            share_i5);
  // Another point's remainder.
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { y[(i1 + 1) % 2, i1] = y[i1 % 2, -i1 + 39] }"),
            share_i1);
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { y[i1 % 2, i1 // 2] = y[(i1 + 1) % 2, i1 // 2] }"),
            share_i1);
  EXPECT_EQ(faults("for i1 in 0 .. 40 item { if 0 <= i1 < 2 { y[0, 0] = 1 } }"), share_i1);
}

TEST(Items, HaveWhatTheGroupAllocates) {
  EXPECT_EQ(verify(program("for i1 in 0 .. 40 item { alloc shared shared[0] = x[0, i1] "
                           "barrier group y[0, i1] = shared[0] }")),
            std::vector<std::string>{"p: shared is of a group and allocated by its work-items"});
  EXPECT_EQ(verify(program("alloc shared for i1 in 0 .. 40 item { shared[i1] = x[0, i1] "
                           "let i0 = {i64(shared[i1]) in 0..2} barrier group y[i0, i1] = 1 }")),
            std::vector<std::string>{"p: i0 is read from what work-items write"});
}

TEST(Items, BarriersStandInTheirLoops) {
  EXPECT_EQ(verify(program("for i1 in 0 .. 40 { barrier group y[0, i1] = 1 }")),
            std::vector<std::string>{"p: a barrier outside of a loop over items"});
}

TEST(Inward, LanesStandInLoopsThatAllOfThemHave) {
  Program sums = program(
      "for i2 in 0 .. 4 { alloc own own[] = 0 for i0 in 0 .. 3 { own[] += x[i0, i2] } "
      "y[0, i2] = own[] }");
  const std::vector<HostTensor> wanted = run(sums);
  sums.body = inward(sums, std::get<For>(sums.body[0].node),
                     [](const Stmt& stmt) { return std::holds_alternative<For>(stmt.node); });
  EXPECT_EQ(sums.body.size(), 4U);  // an array, its start, the loop over rows, the results
  EXPECT_EQ(std::get<For>(sums.body[2].node).var, 0);
  EXPECT_EQ(verify(sums), std::vector<std::string>());
  EXPECT_EQ(run(sums), wanted);
}

// x and y as images with four neighbours of a row in a texel.
const char* const kImages =
    "program \"p\"\n"
    "var i0 row < 3\nvar i1 lane < 4\nvar i2 four < 10\n"
    "buffer x f32 [3, 10, 4] argument image \"texels along 1; x: 1; y: 0\" of 0\n"
    "buffer y f32 [3, 10, 4] argument image \"texels along 1; x: 1; y: 0\" of 1 written\n";

TEST(Texels, AreReadInFrontOfTheirLanesAndWrittenBehindThem) {
  const auto program_of = [](const std::string& lanes) {
    return parse(kImages + ("{ for i0 in 0 .. 3 { for i2 in 0 .. 10 { "
                            "for i1 in 0 .. 4 unrolled { " +
                            lanes + " } } } }"),
                 isa::all_rows());
  };
  const Program given = program_of("y[i0, i2, i1] = (x[i0, i2, i1] + x[i0, i2, 1])");
  EXPECT_EQ(to_string(parse(to_string(given), isa::all_rows())), to_string(given));
  const Program staged = stage_texels(given);
  EXPECT_EQ(verify(staged), std::vector<std::string>());
  const std::string text = to_string(staged);
  EXPECT_NE(text.find("call read_texel_f32"), std::string::npos) << text;
  EXPECT_NE(text.find("call write_texel_f32"), std::string::npos) << text;
  const std::vector<HostTensor> got = run(staged);
  for (int64_t i = 0; i < 120; ++i)
    EXPECT_EQ(got[1].get(i).number, x_at(0, i) + x_at(0, i / 4 * 4 + 1)) << i;
  // A texel that moves with the lanes is read component by component.
  const std::string moving = to_string(stage_texels(program_of("y[i0, i2, i1] = x[i0, i1, i1]")));
  EXPECT_EQ(moving.find("read_texel"), std::string::npos) << moving;
}

}  // namespace
}  // namespace burin::loops::loops_items_test

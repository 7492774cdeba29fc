// Names of numbers that nothing reads are left out, and loops that do not turn; and only these.
#include <gtest/gtest.h>

#include "loops/idle.h"
#include "loops/known_numbers.h"
#include "loops/program_text.h"

namespace burin::loops::loops_idle_test {
namespace {

const char* const kHeader =
    "program \"p\"\n"
    "var i0 row < 8\nvar i1 end < 9\nvar i2 twice < 20\nvar i3 part < 8\n"
    "buffer y f32 [20] argument of 0 written\n";

std::string without(const std::string& body) {
  Program program = parse(kHeader + body, {});
  program.body = without_idle_lets(program.body);
  return to_string(program);
}
std::string as_it_is(const std::string& body) { return to_string(parse(kHeader + body, {})); }

TEST(Idle, WhatNothingReadsGoes) {
  EXPECT_EQ(without("{ for i0 in 0 .. 8 { let i1 = i0 + 1 y[i0] = 1 } }"),
            as_it_is("{ for i0 in 0 .. 8 { y[i0] = 1 } }"));
  // One that only such a one reads, too.
  EXPECT_EQ(without("{ for i0 in 0 .. 8 { let i1 = i0 + 1 let i2 = i1 * 2 y[i0] = 1 } }"),
            as_it_is("{ for i0 in 0 .. 8 { y[i0] = 1 } }"));
}

TEST(Idle, WhatIsReadStays) {
  for (const std::string body :
       {"{ for i0 in 0 .. 8 { let i1 = i0 + 1 y[i1] = 1 } }",
        "{ for i0 in 0 .. 8 { let i1 = i0 + 1 for i3 in 0 .. i1 { y[i3] = 1 } } }",
        "{ for i0 in 0 .. 8 { let i1 = i0 + 1 if 0 <= i1 < 4 { y[i0] = 1 } } }",
        "{ for i0 in 0 .. 8 { let i1 = i0 + 1 let i2 = i1 * 2 y[i2] = y[i1] } }"})
    EXPECT_EQ(without(body), as_it_is(body));
}

std::string turning(const std::string& body) {
  Program program = parse(kHeader + body, {});
  program.body = without_idle_loops(program.body);
  return to_string(program);
}

TEST(Idle, LoopsOfNoTurnGoAndOfOneTurnAreTheirBody) {
  EXPECT_EQ(turning("{ for i0 in 0 .. 0 { y[i0] = 1 } y[3] = 2 }"), as_it_is("{ y[3] = 2 }"));
  EXPECT_EQ(turning("{ for i0 in 3 .. 4 { y[2*i0] = 1 } }"), as_it_is("{ y[6] = 1 }"));
  EXPECT_EQ(turning("{ for i0 in 0 .. 8 step 8 { y[i0] = 1 } }"), as_it_is("{ y[0] = 1 }"));
  EXPECT_EQ(turning("{ for i0 in 3 .. 4 unrolled { y[i0] = 1 } }"), as_it_is("{ y[3] = 1 }"));
  // A loop around nothing, and one inside another whose variable it begins with.
  EXPECT_EQ(turning("{ for i0 in 0 .. 8 { for i2 in 0 .. 0 { y[i0] = 1 } } y[3] = 2 }"),
            as_it_is("{ y[3] = 2 }"));
  EXPECT_EQ(turning("{ for i0 in 0 .. 8 { for i2 in i0 .. i0 + 1 { y[i2] = 1 } } }"),
            as_it_is("{ for i0 in 0 .. 8 { y[i0] = 1 } }"));
}

std::string with_numbers(const std::string& body) {
  Program program = parse(kHeader + body, {});
  program.body = without_idle_loops(with_known_numbers(program.body));
  return to_string(program);
}

TEST(KnownNumbers, NamesOfConstantsGo) {
  EXPECT_EQ(with_numbers("{ let i1 = 5 for i0 in 0 .. i1 { let i2 = i1 + 1 y[i0 + i2] = 1 } }"),
            as_it_is("{ for i0 in 0 .. 5 { y[i0 + 6] = 1 } }"));
  // Names of what the loops give stay.
  const std::string moved = "{ for i0 in 0 .. 8 { let i1 = i0 + 1 y[i1] = 1 } }";
  EXPECT_EQ(with_numbers(moved), as_it_is(moved));
}

TEST(KnownNumbers, BranchesThatLoopsSettleGo) {
  // 0, 3 and 6: never 7, where the extent alone would allow it; always below 7.
  const std::string loop = "{ for i0 in 0 .. 8 step 3 ";
  EXPECT_EQ(with_numbers(loop + "{ if 7 <= i0 < 9 { y[0] = 1 } else { y[i0] = 2 } } }"),
            as_it_is(loop + "{ y[i0] = 2 } }"));
  EXPECT_EQ(with_numbers(loop + "{ if 0 <= i0 < 7 { y[i0] = 1 } else { y[0] = 2 } } }"),
            as_it_is(loop + "{ y[i0] = 1 } }"));
  EXPECT_EQ(with_numbers(loop + "{ if 7 <= i0 < 9 { y[0] = 1 } y[i0] = 2 } }"),
            as_it_is(loop + "{ y[i0] = 2 } }"));
  for (const std::string& body :
       {loop + "{ if 6 <= i0 < 9 { y[0] = 1 } else { y[i0] = 2 } } }",
        // Parts of threads begin anywhere, and behind the loop its variable may be another's.
        std::string("{ for i0 in 0 .. 8 step 3 thread { if 7 <= i0 < 9 { y[i0] = 1 } } }"),
        std::string("{ for i0 in 0 .. 8 step 3 { y[i0] = 1 } "
                    "for i0 in 0 .. 8 { if 7 <= i0 < 9 { y[i0] = 2 } } }")})
    EXPECT_EQ(with_numbers(body), as_it_is(body));
}

// What a row of no elements leaves of its sums; one that is read stays, and one that is added to.
TEST(Idle, LocalsThatNothingReadsGo) {
  const std::string header =
      std::string(kHeader) + "buffer one f32 [] local\nbuffer two f32 [] local\n";
  const auto without_locals = [&](const std::string& body) {
    return to_string(without_idle_locals(parse(header + body, {})));
  };
  const auto plain = [&](const std::string& body) { return to_string(parse(header + body, {})); };
  EXPECT_EQ(without_locals("{ for i0 in 0 .. 8 { alloc one one[] = 0 } y[3] = 2 }"),
            plain("{ y[3] = 2 }"));
  EXPECT_EQ(without_locals("{ alloc one one[] = 0 alloc two two[] = one[] y[3] = 2 }"),
            plain("{ y[3] = 2 }"));
  const std::string read = "{ alloc one one[] = 0 y[3] = one[] }";
  EXPECT_EQ(without_locals(read), plain(read));
}

TEST(Idle, OneThatDeclaresIsItsBodyWhereNothingElseIsCalledSo) {
  EXPECT_EQ(turning("{ for i0 in 0 .. 8 { for i2 in 0 .. 1 { let i1 = i0 + i2 y[i1] = 1 } } }"),
            as_it_is("{ for i0 in 0 .. 8 { let i1 = i0 y[i1] = 1 } }"));
  EXPECT_EQ(turning("{ for i2 in 0 .. 1 { let i1 = i2 + 1 y[i1] = 1 } y[3] = 2 }"),
            as_it_is("{ let i1 = 1 y[i1] = 1 y[3] = 2 }"));
  // What declares the same as something behind it keeps its scope; what is in front has ended.
  EXPECT_EQ(turning("{ for i2 in 0 .. 1 { let i1 = i2 + 1 y[i1] = 1 } "
                    "for i2 in 0 .. 1 { let i1 = i2 + 4 y[i1] = 2 } }"),
            as_it_is("{ for i2 in 0 .. 1 { let i1 = i2 + 1 y[i1] = 1 } let i1 = 4 y[i1] = 2 }"));
  const std::string nested =
      "{ for i2 in 0 .. 1 { let i1 = i2 + 1 y[i1] = 1 } "
      "for i0 in 0 .. 8 { let i1 = i0 y[i1] = 2 } }";
  EXPECT_EQ(turning(nested), as_it_is(nested));
  const std::string same = "{ let i1 = 2 if 0 <= 1 < 2 { let i1 = 3 y[i1] = 1 } y[i1] = 2 }";
  EXPECT_EQ(turning(same), as_it_is(same));
}

TEST(Idle, BranchesThatAreSettledAreWhatRuns) {
  EXPECT_EQ(turning("{ for i0 in 0 .. 8 { if 0 <= i0 < 8 { y[i0] = 1 } } }"),
            as_it_is("{ for i0 in 0 .. 8 { y[i0] = 1 } }"));
  EXPECT_EQ(turning("{ for i0 in 0 .. 8 { if 8 <= i0 < 9 { y[i0] = 1 } else { y[i0] = 2 } } }"),
            as_it_is("{ for i0 in 0 .. 8 { y[i0] = 2 } }"));
  EXPECT_EQ(turning("{ for i0 in 0 .. 8 { if 9 <= i0 < 12 { y[i0] = 1 } y[i0] = 3 } }"),
            as_it_is("{ for i0 in 0 .. 8 { y[i0] = 3 } }"));
  const std::string open =
      "{ for i0 in 0 .. 8 { if 0 <= i0 < 7 { y[i0] = 1 } else { y[i0] = 2 } } }";
  EXPECT_EQ(turning(open), as_it_is(open));
}

TEST(Idle, LoopsThatMayTurnOrAreNotInLineStay) {
  for (const std::string body :
       {"{ for i0 in 0 .. 8 { for i2 in 0 .. i0 { y[i2] = 1 } } }",
        "{ for i0 in 0 .. 2 { y[i0] = 1 } }", "{ for i0 in 0 .. 1 thread to i3 { y[i0] = 1 } }",
        "{ for i0 in 0 .. 1 outlined { y[i0] = 1 } }"})
    EXPECT_EQ(turning(body), as_it_is(body));
}

}  // namespace
}  // namespace burin::loops::loops_idle_test

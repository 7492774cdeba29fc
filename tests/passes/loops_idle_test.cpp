// Names of numbers that nothing reads are left out, and only these.
#include <gtest/gtest.h>

#include "loops/idle.h"
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

}  // namespace
}  // namespace burin::loops::loops_idle_test

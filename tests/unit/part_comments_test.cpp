// The line above a part says what the part does: sums, the greatest, copies, look-ups.
#include "print/part_comments.h"

#include <gtest/gtest.h>

#include "isa/all_rows.h"
#include "loops/program_text.h"

namespace burin::part_comments_test {
namespace {

std::string comment_of(const std::string& body) {
  const loops::Program program = loops::parse(
      "program \"p\"\n"
      "var i0 i0 < 8\nvar i1 i1 < 8\n"
      "buffer x f32 [8, 8] argument of 0\n"
      "buffer z f32 [8, 8] argument of 1\n"
      "buffer n i64 [8] argument of 2\n"
      "buffer y f32 [8] argument of 3 written\n" +
          body,
      isa::all_rows());
  return print::part_comment(program.body, 0, true, [&](loops::BufferId id) {
    return program.buffers[static_cast<size_t>(id)].name;
  });
}

TEST(PartComments, SayWhatIsDone) {
  const auto over = [](const std::string& store) {
    return "{ for i0 in 0 .. 8 { for i1 in 0 .. 8 { " + store + " } } }";
  };
  EXPECT_EQ(comment_of(over("y[i0] = 0")), "Sets y to a constant.");
  EXPECT_EQ(comment_of(over("y[i0] = x[i0, i1]")), "Copies x to y.");
  // Data that only say where.
  EXPECT_EQ(comment_of(over("y[{n[i0] in 0 .. 7}] = x[i0, i1]")), "Copies x to y, where n says.");
  EXPECT_EQ(comment_of(over("y[{n[i0] in 0 .. 7}] = 0")), "Sets y to a constant, where n says.");
  EXPECT_EQ(comment_of(over("y[i0] += x[i0, i1]")), "Adds x to y.");
  EXPECT_EQ(comment_of(over("y[i0] += (x[i0, i1] * z[i0, i1])")), "Adds products of x and z to y.");
  // What is added is computed, or is not added at all.
  EXPECT_EQ(comment_of(over("y[i0] += exp((x[i0, i1] - z[i0, i1]))")), "Computes y from x and z.");
  EXPECT_EQ(comment_of(over("y[i0] max= x[i0, i1]")), "Computes y from x.");
  EXPECT_EQ(comment_of(over("y[i0] = (x[i0, i1] + z[i0, i1])")), "Computes y from x and z.");
}

TEST(PartComments, SayWhatIsAroundOnce) {
  print::TextBuilder text;
  print::PartComments parts(text);
  parts.open();
  parts.say("Computes y from x.");
  text.line("a();");
  parts.open();
  parts.say("Copies x to z.");
  text.line("b();");
  parts.say("Computes y from x.");
  text.line("c();");
  parts.close();
  parts.say("Computes y from x.");
  text.line("d();");
  EXPECT_EQ(text.text(),
            "// Computes y from x.\na();\n// Copies x to z.\nb();\nc();\n"
            "// Computes y from x.\nd();\n");
}

// What has no line of its own is said by each of its parts that does the same.
TEST(PartComments, AreLeftToParts) {
  print::TextBuilder text;
  print::PartComments parts(text);
  parts.open();
  parts.say("Copies x to y.");
  parts.open();
  for (const char* line : {"a();", "b();", "c();"}) {
    parts.say("Copies x to y.");
    text.line(line);
  }
  parts.close();
  parts.close();
  EXPECT_EQ(text.text(),
            "// Copies x to y.\na();\n// Copies x to y.\nb();\n// Copies x to y.\nc();\n");
}

}  // namespace
}  // namespace burin::part_comments_test

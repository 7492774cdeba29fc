#include <gtest/gtest.h>

#include "support/diagnostics.h"
#include "vliw/assembly.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::reader_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

std::string refusal_of(const std::string& text) {
  try {
    read_assembly(text, "in.s", machine());
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "taken";
}

TEST(Reader, PrintsWhatTheCompilerWroteByteForByte) {
  for (const std::string name : {"kernels_packed.s", "calls_packed.s", "calls_unpacked.s"}) {
    const std::string text =
        testing::read_text(std::string(BURIN_SOURCE_DIR) + "/tests/vliw/data/" + name);
    ASSERT_FALSE(text.empty());
    const Module module = read_assembly(text, name, machine());
    EXPECT_EQ(print_assembly(module), text) << name;
    for (const Item& item : module.items) {
      for (const Instruction& i : item.packet.instructions) EXPECT_FALSE(i.unknown()) << i.text();
    }
  }
}

TEST(Reader, NormalisesToTheFormOfTheTable) {
  const auto key = [](const std::string& text) {
    return key_of(parse_instruction(text, machine(), 1, 1));
  };
  EXPECT_EQ(key("r0 = add(r1,#-4)"), "R=add(R,#)");
  EXPECT_EQ(key("if (!p0.new) r3:2 = memd(r29 + #16)"), "if(!P.new)RR=memd(R+#)");
  EXPECT_EQ(key("v1:0.w = vadd(v3:2.w,v5:4.w)"), "VV.w=vadd(VV.w,VV.w)");
  EXPECT_EQ(key("loop0(.LBB0_3,r9)"), "loop0(@,R)");
  EXPECT_EQ(key("r0 = memw(r1<<#2+##table)"), "R=memw(R<<#+#)");
  EXPECT_EQ(key("jumpr r31"), "jumpr R");
  EXPECT_EQ(key("r28 = lc0"), "R=C");
  EXPECT_EQ(key("r2 = memw(gp+#x)"), "R=memw(gp+#)");
}

TEST(Reader, CountsWordsOfConstantExtenders) {
  const auto words = [](const std::string& text) {
    return words_of(parse_instruction(text, machine(), 1, 1));
  };
  EXPECT_EQ(words("r0 = add(r1,#32767)"), 1);
  EXPECT_EQ(words("r0 = add(r1,#32768)"), 2);
  EXPECT_EQ(words("r0 = ##symbol"), 2);
  EXPECT_EQ(words("r0 = memw(r1+#4)"), 1);
  EXPECT_EQ(words("r0 = memw(r1+#5)"), 2);
  // Numbers that are shifted are numbers.
  EXPECT_EQ(words("r0 = memw(r29+#16<<2)"), 1);
  EXPECT_EQ(words("r0 = add(r1,#1 << 14)"), 1);
  EXPECT_EQ(words("r0 = add(r1,#1<<15)"), 2);
  EXPECT_EQ(words("r0 = add(r1,#-1<<15)"), 1);
  EXPECT_EQ(words("r0 = add(r1,#symbol<<2)"), 2);
  EXPECT_EQ(words("r0 = memw(r1+#4092)"), 1);
  EXPECT_EQ(words("r0 = memw(r1+#4096)"), 2);
  EXPECT_EQ(words("r0 = memw(r1+#-4096)"), 1);
  EXPECT_EQ(words("if (p1) r0 = memuh(r16+#126)"), 1);
  EXPECT_EQ(words("if (p1) r0 = memuh(r16+#128)"), 2);
}

TEST(Reader, NamesTheLineAndColumnOfAMistake) {
  EXPECT_EQ(refusal_of("\t{\n\t\tr0 = add(r1,r2)\n"),
            "in.s:1:1: error: the packet is not closed [bad-assembly]");
  EXPECT_EQ(refusal_of("\t}\n"),
            "in.s:1:2: error: a closing brace without a packet [bad-assembly]");
  EXPECT_EQ(refusal_of("{ r0 = r1\n{"), "in.s:2:1: error: a packet inside a packet [bad-assembly]");
  EXPECT_EQ(refusal_of("\tr0 = add(r32,r1)\n"),
            "in.s:1:11: error: no register 'r32' [bad-assembly]");
  EXPECT_EQ(refusal_of("\tr2:1 = add(r1:0,r3:2)\n"),
            "in.s:1:2: error: no register 'r2:1' [bad-assembly]");
  EXPECT_EQ(refusal_of("r0 = add(r1,)\n"),
            "in.s:1:13: error: an operand is missing [bad-assembly]");
  EXPECT_EQ(refusal_of("r0 = add(r1,#)\n"),
            "in.s:1:13: error: an immediate is missing [bad-assembly]");
  EXPECT_EQ(refusal_of("r0 = add(r1,r2\n"),
            "in.s:1:15: error: parentheses do not match [bad-assembly]");
  EXPECT_EQ(refusal_of("{ r0 = r1 } :endloop2\n"),
            "in.s:1:13: error: no packet suffix 'endloop2' [bad-assembly]");
  EXPECT_EQ(refusal_of("{\nlabel:\n}\n"),
            "in.s:2:1: error: a label inside a packet [bad-assembly]");
  EXPECT_EQ(refusal_of("/* never closed\n"),
            "in.s:1:1: error: a comment is not closed [bad-assembly]");
  EXPECT_EQ(refusal_of(std::string("r0 = r1\x01\n")),
            "in.s:1:8: error: a control character [bad-assembly]");
}

}  // namespace
}  // namespace burin::vliw::reader_test

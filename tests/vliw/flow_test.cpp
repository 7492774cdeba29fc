// Changes of flow in rows, set-ups of loops that are far away, and lines that may be anything.
#include <gtest/gtest.h>

#include "vliw/checker/checker.h"
#include "vliw/packer.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::flow_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

std::string packed(const std::string& text) {
  return print_assembly(pack(read_assembly(text, "in.s", machine()), machine(), {}).module);
}

// Three changes of flow, the last two of which share a packet behind one that computes.
TEST(Flow, JumpsInARowShareAPacket) {
  const std::string out = packed(
      "f:\n{ if (p1) jump:nt .A; r3 = #0; r2 = add(r2,r0) }\n{ if (!p0) jump:nt .B }\n"
      "{ jump .C }\n.A:\nr0 = r2\n.B:\nr0 = r3\n.C:\njumpr r31\n");
  EXPECT_NE(out.find("\t{\n\t\tif (!p0) jump:nt .B\n\t\tjump .C\n\t}\n"), std::string::npos) << out;
}

// loop0 has nine bits; with a constant extender it is two words, which its packet must have.
// (LLVM's assembler dies where it must extend the loop of a full packet.)
TEST(Flow, ALoopThatIsFarHasAnExtender) {
  std::string text = "f:\nr1 = add(r9,#1)\nr2 = add(r9,#2)\nr3 = add(r9,#3)\nloop0(.L,#9)\n";
  for (int k = 0; k < 100; ++k) text += "r4 = add(r4,##" + std::to_string(100000 + k) + ")\n";
  const std::string out = packed(text +
                                 "r4 = mpyi(r4,r4)\n.L:\nr4 = mpyi(r4,r4)\n{ r4 = add(r4,#1)\n"
                                 " r5 = r4 }:endloop0\njumpr r31\n");
  EXPECT_NE(out.find("loop0(##.L,#9)"), std::string::npos) << out.substr(0, 500);
  const std::string folder = testing::fresh_folder("far_loop");
  EXPECT_EQ(testing::assemble_text(out, folder + "out.o", "v66"), "");
}

// A loop that is pipelined with a guard, r7 set in front of it, and what stands behind.
std::string with_tail(const std::string& front, const std::string& tail) {
  return front +
         "\t.text\nf:\n{ r7 = #77 }\n{ loop0(.L1,r2) }\n.L1:\n{ r4 = memw(r0++#4) }\n"
         "{ r5 = memw(r1++#4) }\n{ r4 = mpyi(r4,r5) }\n{ r3 = add(r3,r4) }\n{ r5 = add(r4,#3) }\n"
         "{ memw(r8++#4) = r5 } :endloop0\n" +
         tail;
}

// How often r7 is written, by the text.
int writes_of_r7(const std::string& text) {
  int count = 0;
  for (size_t at = text.find("r7 ="); at != std::string::npos; at = text.find("r7 =", at + 1))
    ++count;
  return count;
}

// Nobody knows what a line does that is neither code nor one of the directives that do nothing: it
// may read every register, and control may go elsewhere.
TEST(Flow, ALineThatIsNotUnderstoodReadsEverything) {
  const std::string end = "jumpr r31\n";
  const std::string unread = with_tail("", "{ r7 = #0 }\n{ r6 = #0 }\n" + end);
  ASSERT_GT(writes_of_r7(packed(unread)), writes_of_r7(unread));  // it is taken where it is free
  const std::string macro = ".macro fin x\nr0 = add(r3,\\x)\n.endm\n";
  const std::string then = "{ r7 = #0 }\n{ r6 = #0 }\n" + end;
  const std::pair<std::string, std::string> cases[] = {
      {macro, "fin r7\n" + then},
      {macro, "g: fin r7\n" + then},
      {".MACRO fin x\nr0 = add(r3,\\x)\n.ENDM\n", "fin r7\n" + then},
      {"", ".rep 1\nr0 = add(r3,r7)\n.endr\n" + then},
      {"", ".word 0xf303c700\n" + then},
      {"", ".include \"tail.inc\"\n" + then},
      {"", ".if 0\n{ r7 = #0 }\n.endif\n{ r0 = add(r3,r7) }\n" + end},
      {"", ".pushsection .fix,\"ax\"\n" + then + ".popsection\n{ r0 = add(r3,r7) }\n" + end},
      {"", ".section .text.cold,\"ax\"\n" + then + ".text\n{ r0 = add(r3,r7) }\n" + end},
      {"", ".p2align 2; r0 = add(r3,r7)\n" + then},
      {"", "{ trap0(#1) }\n" + then},
  };
  for (const auto& [front, tail] : cases) {
    const std::string text = with_tail(front, tail);
    EXPECT_EQ(writes_of_r7(packed(text)), writes_of_r7(text)) << tail;
  }
}

// The same of a predicate that is only compared for a jump: it stays where what follows may read
// it.
TEST(Flow, APredicateStaysForALineThatIsNotUnderstood) {
  const auto with = [](const std::string& line) {
    return packed(
        ".macro take x\nif (\\x) r0 = #1\n.endm\nf:\nr2 = memw(r0+#0)\np0 = cmp.eq(r2,#3)\n"
        "if (!p0) jump .A\n" +
        line + "p0 = cmp.eq(r1,#0)\n.A:\njumpr r31\n");
  };
  EXPECT_EQ(with("").find("p0 = cmp.eq(r2,#3)"), std::string::npos);
  EXPECT_NE(with("take p0\n").find("p0 = cmp.eq(r2,#3)"), std::string::npos);
}

// The judge has its own word on it: a loop that takes what such a line may read is not right.
TEST(Flow, TheJudgeDoesNotKnowSuchLinesEither) {
  const auto loop = [](const std::string& temporary, const std::string& tail) {
    return read_assembly("f:\n{ loop0(.L0,r9) }\n.L0:\n{ r2 = memw(r0++#4) }\n{ " + temporary +
                             " = add(r2,r2) }\n{ r5 = " + temporary +
                             " }\n{ nop }:endloop0\n{ r0 = r5 }\n" + tail +
                             "{ r12 = #0 }\n{ r13 = #0 }\n{ jumpr r31 }\n",
                         "in.s", machine());
  };
  PipelinedClaim claim;
  claim.label = ".L0";
  for (const std::string tail : {"", ".p2align 2\n", "// r13\n"})
    EXPECT_TRUE(check_equal(loop("r12", tail), loop("r13", tail), machine(), {claim}).empty())
        << tail;
  for (const std::string tail : {".word 0\n", ".section .a\n", ".if 1\n", "{ trap0(#1) }\n"})
    EXPECT_FALSE(check_equal(loop("r12", tail), loop("r13", tail), machine(), {claim}).empty())
        << tail;
}

}  // namespace
}  // namespace burin::vliw::flow_test

// Changes of flow in rows, and set-ups of loops that are far away.
#include <gtest/gtest.h>

#include "vliw/pack.h"
#include "vliw/support/emulator.h"

namespace burin::vliw {
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

}  // namespace
}  // namespace burin::vliw

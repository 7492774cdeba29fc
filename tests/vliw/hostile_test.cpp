// Input as strangers write it: what is refused, where and why; what is kept to the letter.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/diagnostics.h"
#include "vliw/checker/checker.h"
#include "vliw/packer.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::hostile_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

std::string packed(const std::string& text) {
  try {
    return print_assembly(pack(read_assembly(text, "in.s", machine()), machine(), {}).module);
  } catch (const Refused& refused) {
    return refused.what();
  }
}

TEST(Hostile, LabelsAreDefinedOnce) {
  EXPECT_EQ(packed("a:\nr0 = r1\na:\n"),
            "in.s:3:1: error: label 'a' was defined on line 1 [bad-assembly]");
  EXPECT_EQ(packed("\"a b\":\n x: \"a b\":\n"),
            "in.s:2:5: error: label '\"a b\"' was defined on line 1 [bad-assembly]");
  EXPECT_EQ(packed("\"a:\\\"b\":\nr0 = r1\n"), "\"a:\\\"b\":\n\t{\n\t\tr0 = r1\n\t}\n");
  EXPECT_EQ(packed("1:\nr0 = r1\n1:\n"), "1:\n\t{\n\t\tr0 = r1\n\t}\n1:\n");  // local labels
  const std::string choice = ".if 1\na:\n.else\na:\n.endif\n";
  EXPECT_EQ(packed(choice), choice);
}

TEST(Hostile, NumbersHave32Bits) {
  EXPECT_EQ(packed("r0 = #99999999999999999999\n"),
            "in.s:1:6: error: a number of more than 64 bits [bad-assembly]");
  EXPECT_EQ(packed("{ r0 = memw(r1+#4294967296) }\n"),
            "in.s:1:16: error: a number of more than 32 bits [bad-assembly]");
  EXPECT_EQ(packed("r0 = #-2147483649\n"),
            "in.s:1:6: error: a number of more than 32 bits [bad-assembly]");
  // What no number of 32 bits is shifted by is left to the assembler.
  EXPECT_EQ(packed("r0 = #1<<32\n"), "\t{\n\t\tr0 = #1<<32\n\t}\n");
  EXPECT_EQ(packed("r0 = #2<<31\n"),
            "in.s:1:6: error: a number of more than 32 bits [bad-assembly]");
  EXPECT_EQ(packed("r0 = add(r1,#0xffffffff)\n"), "\t{\n\t\tr0 = add(r1,#0xffffffff)\n\t}\n");
  EXPECT_EQ(packed("r1:0 = CONST64(#0x123456789abcdef0)\n"),
            "\t{\n\t\tr1:0 = CONST64(#0x123456789abcdef0)\n\t}\n");
}

// #0xfffffffc is #-4: the two meet, and the load stays behind the store.
TEST(Hostile, AddressesWrap) {
  EXPECT_EQ(packed("memw(r0+##0xfffffffc) = r1\nr2 = memw(r0+#-4)\n"),
            "\t{\n\t\tmemw(r0+##0xfffffffc) = r1\n\t}\n\t{\n\t\tr2 = memw(r0+#-4)\n\t}\n");
  const std::string far = "r3 = add(r0,##0x7fffffff)\nr4 = add(r3,##0x7fffffff)\n";
  const std::string out = packed(far + "memw(r4+#4) = r1\nr2 = memw(r0+#0)\n");
  EXPECT_LT(out.find("memw(r4+#4)"), out.find("r2 = memw(r0+#0)")) << out;
  EXPECT_EQ(out.find("\t\tr2 = memw(r0+#0)\n\t\tmemw"), std::string::npos) << out;
}

TEST(Hostile, PacketsThatNoAssemblerTakesAreRefused) {
  EXPECT_EQ(packed("  { r0 = r1; r1 = r2; r2 = r3; r3 = r4; r4 = r5 }\n").substr(0, 72),
            "in.s:1:3: error: 5 words, a packet has 4 in { r0 = r1; r1 = r2; r2 = r3;");
  const std::string alone = packed("\tif (cmp.eq(r0.new,#0)) jump:nt .L\n");
  EXPECT_NE(alone.find("in.s:1:2: error: 'if (cmp.eq(r0.new,#0)) jump:nt .L' reads a new value"),
            std::string::npos);
  EXPECT_NE(alone.find("-mno-nvj"), std::string::npos);
}

TEST(Hostile, MacrosAreTheAssemblers) {
  const std::string text =
      ".macro twice a\n r0 = \\a\n r1 = \\a\n.endm\n.rept 2\n r2 = r2\n.endr\n twice r3\n";
  EXPECT_EQ(packed(text + "r4 = r5\nr6 = r7\n"), text + "\t{\n\t\tr4 = r5\n\t\tr6 = r7\n\t}\n");
  EXPECT_EQ(packed("r0 = r1\n.macro m\nr2 = r3\n"),
            "in.s:2:1: error: a macro or repetition is not closed [bad-assembly]");
}

TEST(Hostile, ImmediatesReadTheSameAgain) {
  EXPECT_EQ(packed("r0 = # # x\n"), "in.s:1:6: error: an immediate is missing [bad-assembly]");
  EXPECT_EQ(packed("r0 = # 5\n"), "\t{\n\t\tr0 = #5\n\t}\n");
}

TEST(Hostile, PlaceholdersAreNoRegisters) {
  EXPECT_TRUE(parse_instruction("R=R", machine(), 1, 1).unknown());
  EXPECT_TRUE(parse_instruction("r0 = add(R,#1)", machine(), 1, 1).unknown());
}

// The jump of a compound is no part of the immediate before it.
TEST(Hostile, CompoundsWithAnImmediateEndTheirBlock) {
  const std::string text = "\t{\n\t\tr0 = #1 ; jump .L\n\t\tr2 = r3\n\t}\n";
  const Module module = read_assembly(text, "in.s", machine());
  ASSERT_EQ(module.items.at(0).packet.instructions.size(), 2u);
  EXPECT_EQ(key_of(module.items.at(0).packet.instructions[0]), "R=#;jump@");
  EXPECT_EQ(packed(text + "\t{\n\t\tr4 = r5\n\t}\n").find("r4 = r5"),
            packed(text).size() + std::string("\t{\n\t\t").size());
}

TEST(Hostile, LineEndsCommentsAndLengths) {
  EXPECT_EQ(packed(""), "");
  EXPECT_EQ(packed("\r\n{\r\n\tr0 = r1\r\n\tr2 = r3\r\n}\r\n"),
            "\n\t{\n\t\tr0 = r1\n\t\tr2 = r3\n\t}\n");
  EXPECT_EQ(packed("/* a */ r0 = r1 // b\n/* c\n d */ r2 = r3 ; r4 = r5\n"),
            "\t{\n\t\tr0 = r1 // b\n\t}\n/* c\n d */\n\t{\n\t\tr2 = r3\n\t\tr4 = r5\n\t}\n");
  EXPECT_EQ(packed("a: /* c\n d */ /* e\n */ r0 = r1\n{ /* f\n } */ r2 = r3 }\n"),
            "a:     \n          \n\t{\n\t\tr0 = r1\n\t\tr2 = r3\n\t}\n");
  EXPECT_EQ(packed(std::string("\t.byte 1 // \0x\n", 15)), std::string("\t.byte 1 // \0x\n", 15));
  const std::string name(200000, 'a');
  EXPECT_EQ(packed("r0 = ##" + name + "\n"), "\t{\n\t\tr0 = ##" + name + "\n\t}\n");
  const std::string deep = std::string(20000, '(') + "1" + std::string(20000, ')');
  EXPECT_EQ(packed("r0 = ##" + deep + "\n"), "\t{\n\t\tr0 = ##" + deep + "\n\t}\n");
}

// Text order of memory inside a packet, asked for by the suffix.
TEST(Hostile, MemoryInOrderIsKept) {
  const std::string text = "\t{\n\t\tmemw(r0+#0) = r1\n\t\tr2 = memw(r0+#0)\n\t} :mem_noshuf\n";
  EXPECT_EQ(packed(text), text);
}

// What the fuzzer found worth keeping (tests/fuzz): read and packed, or refused; nothing else.
TEST(Hostile, FuzzersCorpusIsPackedOrRefused) {
  std::vector<std::string> files;
  const std::string folder = std::string(BURIN_SOURCE_DIR) + "/tests/fuzz/corpus/pack";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  ASSERT_GT(files.size(), 50u);
  int taken = 0, refused = 0;
  for (const std::string& file : files) {
    for (const Policy policy : {Policy::kSda, Policy::kList, Policy::kBest}) {
      PackOptions options;
      options.policy = policy;
      try {
        const Module module = read_assembly(testing::read_text(file), "fuzz.s", machine());
        pack(module, machine(), options);
        ++taken;
      } catch (const Refused&) {
        ++refused;
      } catch (const std::exception& error) {
        ADD_FAILURE() << file << ": " << error.what();
      }
    }
  }
  EXPECT_GT(taken, 20);
  EXPECT_GT(refused, 20);
}

struct Compile {
  const char *version, *flags;
};
class Compiled : public ::testing::TestWithParam<Compile> {};

// Exceptions, jump tables, thread-local and position-independent code, inline assembly, atomics.
TEST_P(Compiled, LanguagePacksStrictlyAndAssembles) {
  const auto [version, flags] = GetParam();
  const std::string folder = testing::fresh_folder(std::string("language_") + version);
  const testing::Output made = testing::run_command(
      std::string("clang++-19 --target=hexagon -std=c++20 -fexceptions -w -mcpu=hexagon") +
      version + " " + flags + " -S -o '" + folder + "language.s' '" + BURIN_SOURCE_DIR +
      "/tests/vliw/kernels/language.cpp'");
  ASSERT_EQ(made.status, 0) << made.text;
  const Machine chip =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-" + version + ".json");
  PackOptions options;
  options.strict = true;
  const Module module =
      read_assembly(testing::read_text(folder + "language.s"), "language.s", chip);
  const PackResult result = pack(module, chip, options);
  EXPECT_GT(result.blocks.size(), 50u);
  EXPECT_EQ(testing::assemble_text(print_assembly(result.module), folder + "out.o", version), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, Compiled,
    ::testing::Values(Compile{"v65", "-O3 -fPIC"}, Compile{"v66", "-Os -g -ffunction-sections"},
                      Compile{"v68", "-O2 -mno-nvj -mllvm -disable-packetizer"},
                      Compile{"v73", "-O0 -fstack-protector-all -finstrument-functions"}),
    [](const auto& info) { return std::string(info.param.version); });

}  // namespace
}  // namespace burin::vliw::hostile_test

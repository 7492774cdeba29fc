// Packets that are legal and packets that are not, in pairs; the assembler is asked about each as
// well.
#include <gtest/gtest.h>

#include "vliw/checker/checker.h"
#include "vliw/packer.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::rules_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

struct Rule {
  const char* name;
  const char* legal;
  const char* illegal;
};

class PacketRule : public ::testing::TestWithParam<Rule> {};

TEST_P(PacketRule, CheckerAndAssemblerAgree) {
  const std::string folder = testing::fresh_folder(std::string("rule_") + GetParam().name);
  for (const auto& [text, legal] :
       {std::pair(GetParam().legal, true), std::pair(GetParam().illegal, false)}) {
    const Module module = read_assembly(text, "rule.s", machine());
    EXPECT_EQ(check_packets(module, machine()).empty(), legal) << text;
    EXPECT_EQ(testing::assemble_text(std::string(text) + "\n", folder + "rule.o", "v66").empty(),
              legal)
        << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PacketRule,
    ::testing::Values(
        Rule{"multiply_pipes", "{ v0.w += vrmpy(v1.ub,r0.b); v2.w += vrmpy(v3.ub,r1.b); r2 = r3 }",
             "{ v0.w += vrmpy(v1.ub,r0.b); v2.w += vrmpy(v3.ub,r1.b); v4.w += vrmpy(v5.ub,r2.b) }"},
        Rule{"shift_pipe", "{ v0.h = vasr(v1.h,r0); v2 = vror(v3,r1) }",
             "{ v0.h = vasr(v1.h,r0); v2.h = vasr(v3.h,r1) }"},
        Rule{"permute_pipe", "{ v0 = vror(v1,r0); v2.w = vadd(v3.w,v4.w) }",
             "{ v0 = vror(v1,r0); v2.b = vpack(v3.h,v4.h):sat }"},
        Rule{"both_multipliers", "{ v1:0.h = vmpa(v3:2.ub,r0.b); v4.w = vadd(v5.w,v6.w) }",
             "{ v1:0.h = vmpa(v3:2.ub,r0.b); v5:4.h = vmpa(v7:6.ub,r1.b) }"},
        Rule{"usr_and_saturation", "{ usr = r4; r0 = add(r1,r2) }",
             "{ usr = r4; r0 = add(r1,r2):sat }"},
        Rule{"order_of_memory", "{ memw(r0+#0) = r1; r2 = memw(r3+#0) }:mem_noshuf",
             "{ memb(r0+#0) += r1; r2 = memw(r3+#0) }:mem_noshuf"},
        Rule{"one_vector_load", "{ v0 = vmem(r0+#0); r1 = memw(r2+#0) }",
             "{ v0 = vmem(r0+#0); v1 = vmem(r1+#0) }"},
        Rule{"double_vectors_and_load", "{ v1:0.b = vadd(v3:2.b,v5:4.b); v12 = vmem(r0+#0) }",
             "{ v1:0.b = vadd(v3:2.b,v5:4.b); v7:6.b = vadd(v9:8.b,v11:10.b); v12 = vmem(r0+#0) }"},
        Rule{"a_temporary_load_writes_nothing", "{ v0.tmp = vmem(r0+#0); v0.w = vadd(v0.w,v1.w) }",
             "{ v0.cur = vmem(r0+#0); v0.w = vadd(v0.w,v1.w) }"},
        Rule{"a_temporary_load_takes_no_compute_unit",
             "{ v1:0.w += vrmpy(v2.b,r1:0.ub); v5:4.w += vrmpy(v2.b,r3:2.ub); v2.tmp = vmem(r4+#0) "
             "}",
             "{ v1:0.h = vmpa(v3:2.ub,r0.b); v5:4.h = vmpa(v7:6.ub,r1.b); v2.tmp = vmem(r4+#0) }"},
        Rule{"memory_slots", "{ r0 = memw(r1+#0); r2 = memw(r3+#0) }",
             "{ r0 = memw(r1+#0); r2 = memw(r3+#0); r4 = memw(r5+#0) }"},
        Rule{"new_value_store", "{ r0 = add(r1,#1); memw(r2+#0) = r0.new; r5 = memw(r3+#0) }",
             "{ r0 = add(r1,#1); memw(r2+#0) = r0.new; memw(r3+#0) = r4 }"},
        Rule{"no_new_address", "{ r1 = memw(r5++#4); memw(r4+#0) = r1.new }",
             "{ r1 = memw(r5++#4); memw(r4+#0) = r5.new }"},
        Rule{"new_needs_condition", "{ if (p0) r1 = r2; if (p0) memw(r4+#0) = r1.new }",
             "{ if (p0) r1 = r2; memw(r4+#0) = r1.new }"},
        Rule{"late_predicate", "{ p3 = and(p1,p2); if (p3.new) r2 = r3 }",
             "{ p3 = sp1loop0(0x100,r0); if (p3.new) r2 = r3 }"},
        Rule{"two_writers", "{ if (p0) r1 = r2; if (!p0) r1 = r4 }", "{ r1 = r2; r1 = r4 }"},
        Rule{"words", "{ jump 0x100; r0 = ##100000 }",
             "{ jump 0x100; r0 = ##100000; r1 = ##200000 }"},
        Rule{"two_multiplies", "{ r1 = mpyi(r5,r6); r2 = mpyi(r5,r6) }",
             "{ r1 = mpyi(r5,r6); r2 = mpyi(r5,r6); r3 = mpyi(r5,r6) }"},
        Rule{"return_address", "{ call 0x100; r0 = r1; r1 = r0 }", "{ r31 = r0; call 0x100 }"},
        Rule{"solo", "{ r1 = vextract(v0,r2) }", "{ r1 = vextract(v0,r2); r3 = r4 }"},
        Rule{"two_jumps", "{ if (p0) jump:nt 0x100; jump 0x200 }",
             "{ jump 0x100; if (p0) jump:nt 0x200 }"},
        Rule{"memory_operation", "{ memw(r0+#0) += r1; r3 = memw(r2+#0) }",
             "{ memw(r0+#0) += r1; memw(r2+#0) = r3 }"},
        Rule{"unaligned_load", "{ v0 = vmemu(r0+#0); v1.h = vadd(v2.h,v3.h) }",
             "{ v0 = vmemu(r0+#0); r1 = memw(r3+#0) }"}),
    [](const auto& info) { return std::string(info.param.name); });

std::string packed(const std::string& text, const std::string& policy = "best") {
  PackOptions options;
  options.policy = policy_of(policy);
  return print_assembly(pack(read_assembly(text, "in.s", machine()), machine(), options).module);
}

TEST(Dependences, ReadAfterWriteNeverSharesAPacketWithoutForwarding) {
  EXPECT_EQ(packed("r1 = add(r2,r3)\nr4 = add(r1,#1)\n"),
            "\t{\n\t\tr1 = add(r2,r3)\n\t}\n\t{\n\t\tr4 = add(r1,#1)\n\t}\n");
}

TEST(Dependences, StoresJumpsAndVectorLoadsForward) {
  EXPECT_EQ(packed("r1 = add(r2,r3)\nmemw(r4+#0) = r1\n"),
            "\t{\n\t\tr1 = add(r2,r3)\n\t\tmemw(r4+#0) = r1.new\n\t}\n");
  EXPECT_EQ(packed("p0 = cmp.eq(r2,r3)\nif (p0) r5 = r6\n"),
            "\t{\n\t\tp0 = cmp.eq(r2,r3)\n\t\tif (p0.new) r5 = r6\n\t}\n");
  EXPECT_EQ(
      packed("v1 = vmem(r0+#0)\nv2.w = vadd(v1.w,v3.w)\nvmem(r1+#0) = v2\n"),
      "\t{\n\t\tv1.cur = vmem(r0+#0)\n\t\tv2.w = vadd(v1.w,v3.w)\n\t\tvmem(r1+#0) = v2.new\n\t}\n");
  EXPECT_EQ(packed("r1 = add(r2,r3)\nmemw(r4+#0) = r1\n", "soft-to-hard"),
            "\t{\n\t\tr1 = add(r2,r3)\n\t}\n\t{\n\t\tmemw(r4+#0) = r1\n\t}\n");
}

TEST(Dependences, AWriteMayShareAPacketWithAnOlderReader) {
  EXPECT_EQ(packed("r4 = add(r1,#1)\nr1 = add(r2,r3)\n"),
            "\t{\n\t\tr4 = add(r1,#1)\n\t\tr1 = add(r2,r3)\n\t}\n");
}

TEST(Dependences, ASwapStaysAPacket) {
  const std::string swap = "\t{\n\t\tr0 = r1\n\t\tr1 = r0\n\t}\n";
  EXPECT_EQ(packed(swap + "r2 = r3\n"), swap + "\t{\n\t\tr2 = r3\n\t}\n");
}

TEST(Dependences, OffsetsOfOneBaseTellStoresApart) {
  EXPECT_EQ(packed("memw(r0+#0) = r1\nr2 = memw(r0+#4)\n"),
            "\t{\n\t\tr2 = memw(r0+#4)\n\t\tmemw(r0+#0) = r1\n\t}\n");
  EXPECT_EQ(packed("memw(r0+#0) = r1\nr2 = memw(r0+#2)\n"),
            "\t{\n\t\tmemw(r0+#0) = r1\n\t}\n\t{\n\t\tr2 = memw(r0+#2)\n\t}\n");
}

// On a machine whose file allows it.
TEST(Dependences, ALoadBehindAStoreKeepsTheOrderOfTheText) {
  Machine with = machine();
  with.soft.store_then_load = 0;
  const auto text_of = [&](const std::string& text) {
    return print_assembly(pack(read_assembly(text, "in.s", with), with, {}).module);
  };
  EXPECT_EQ(text_of("memw(r0+#0) = r1\nr2 = memw(r3+#0)\n"),
            "\t{\n\t\tmemw(r0+#0) = r1\n\t\tr2 = memw(r3+#0)\n\t} :mem_noshuf\n");
  // vectors, conditions and memory operations are not such stores
  for (const char* text :
       {"vmem(r0+#0) = v1\nv2 = vmem(r1+#0)\n", "if (p0) memw(r0+#0) = r1\nr2 = memw(r3+#0)\n",
        "memb(r0+#0) += r1\nr2 = memw(r3+#0)\n"})
    EXPECT_NE(text_of(text).find("\t}\n\t{\n"), std::string::npos) << text_of(text);
}

TEST(Dependences, UnknownInstructionsKeepTheirPlace) {
  const std::string text = "r0 = r1\nr2 = frobnicate(r0)\nr3 = r2\n";
  const PackResult result = pack(read_assembly(text, "in.s", machine()), machine(), {});
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0],
            "in.s:2:1: warning: the table of hexagon-v66 has no 'R=frobnicate(R)'; its packet is "
            "kept as it is");
  EXPECT_EQ(print_assembly(result.module),
            "\t{\n\t\tr0 = r1\n\t}\n\t{\n\t\tr2 = frobnicate(r0)\n\t}\n\t{\n\t\tr3 = r2\n\t}\n");
}

}  // namespace
}  // namespace burin::vliw::rules_test

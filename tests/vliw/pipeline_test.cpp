// Software pipelining: what it reaches, what it leaves alone and why, every small trip count on the
// emulator, and the judge against wrong code.
#include <gtest/gtest.h>

#include "vliw/checker/checker.h"
#include "vliw/effects.h"
#include "vliw/packer.h"
#include "vliw/rename.h"
#include "vliw/support/differential.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::pipeline_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

PackResult packed(const std::string& text, AtReturn at_return = AtReturn::kConvention) {
  PackOptions options;
  options.at_return = at_return;
  return pack(read_assembly(text, "in.s", machine()), machine(), options);
}

LoopReport loop_of(const PackResult& result) {
  for (const BlockReport& block : result.blocks) {
    if (block.pipelining) return *block.pipelining;
  }
  return {};
}

// Two accumulators, one vector and two weights per iteration.
const std::string kGemm =
    "f:\n{ loop0(.L0,r3) }\n.L0:\n{ v2 = vmem(r0++#1) }\n{ r4 = memw(r1+#0) }\n"
    "{ r5 = memw(r1+#4) }\n{ r1 = add(r1,#8) }\n{ v0.w += vrmpy(v2.ub,r4.b) }\n"
    "{ v1.w += vrmpy(v2.ub,r5.b) }\n{ nop }:endloop0\n{ jumpr r31 }\n";

TEST(Pipeline, ReachesTheResourceBoundWithoutAStall) {
  const PackResult result = packed(kGemm);
  const LoopReport loop = loop_of(result);
  ASSERT_TRUE(loop.pipelined) << loop.reason;
  EXPECT_EQ(loop.ii, loop.bounds.resource);
  EXPECT_EQ(loop.unroll, 2);  // three accesses an iteration, two a packet
  EXPECT_EQ(loop.ii, 3);
  for (const BlockReport& block : result.blocks) {
    if (block.part == "kernel") {
      EXPECT_EQ(block.after.stalls, 0);
    }
  }
}

// "r6 = add(#3,lsr(r6,#2))" has one register, spelt twice: what it reads gets no other one.
TEST(Pipeline, TiedOperandsKeepTheirRegister) {
  std::vector<Instruction> body;
  for (const char* text :
       {"r6 = memw(r0++#4)", "r6 = add(#3,lsr(r6,#2))", "memw(r1++#4) = r6", "r6 = memw(r2+#0)"})
    body.push_back(parse_instruction(text, machine(), 1, 1));
  RegisterSet free;
  free.add(kScalar + 10);
  body = rename_ranges(body, machine(), free);
  EXPECT_EQ(body[0].text(), "r6 = memw(r0++#4)");
  EXPECT_EQ(body[1].text(), "r6 = add(#3,lsr(r6,#2))");
  EXPECT_TRUE(parse_instruction("r6 = add(#3,lsr(r7,#2))", machine(), 1, 1).unknown());
}

// The z register and the vectors of a histogram are no operands.
TEST(Pipeline, RegistersWithoutAnOperandAreKnown) {
  const auto effects = [](const char* text) {
    return effects_of(parse_instruction(text, machine(), 1, 1));
  };
  EXPECT_TRUE(effects("z = vmem(r0+#0)").writes.meets(effects("v3:0.w = vrmpyz(v4.b,r1.b)").reads));
  EXPECT_TRUE(effects("vhist").writes.has(kVector + 31));
}

TEST(Pipeline, CanBeSwitchedOff) {
  PackOptions options;
  options.pipeline = false;
  EXPECT_TRUE(pack(read_assembly(kGemm, "in.s", machine()), machine(), options).pipelined.empty());
  options.pipeline = true;
  options.policy = Policy::kList;
  EXPECT_TRUE(pack(read_assembly(kGemm, "in.s", machine()), machine(), options).pipelined.empty());
}

TEST(Pipeline, SaysWhyNot) {
  const auto reason = [](const std::string& set_up, const std::string& body,
                         const std::string& behind) {
    return loop_of(packed("f:\n" + set_up + ".L0:\n" + body +
                          "{ r2 = memw(r0++#4) }\n{ r3 = mpyi(r2,r2) }\n{ memw(r1++#4) = r3 }\n"
                          "{ nop }:endloop0\n" +
                          behind + "{ jumpr r31 }\n"))
        .reason;
  };
  const std::string set_up = "{ loop0(.L0,r9) }\n";
  EXPECT_EQ(reason(set_up, "", ""), "");
  EXPECT_EQ(reason(set_up, "{ call g }\n", ""), "no label in front of its body");
  EXPECT_EQ(reason(set_up, "{ barrier }\n", ""), "a packet that is kept as it is");
  EXPECT_EQ(reason("{ jump .L0 }\n", "", ""), "it is not entered from above");
  EXPECT_EQ(reason("{ r9 = add(r9,#1) }\n", "", ""), "its set-up is behind another label");
  EXPECT_EQ(reason(set_up, "", "{ r0 = lc0 }\n"), "its loop registers are read behind it");
  EXPECT_EQ(reason(set_up, "", "{ if (p0) jump:nt .L0 }\n"), "its label is named elsewhere");
  EXPECT_EQ(reason("{ loop0(.L0,#1) }\n", "", ""), "fewer iterations than stages");
}

// The loop that gains most comes first; where the budget ends, loops are left as packed.
TEST(Pipeline, TheModuleHasABudget) {
  const auto loop = [](const std::string& label, const std::string& trips) {
    return "{ loop0(" + label + ",#" + trips + ") }\n" + label +
           ":\n{ r2 = memw(r0++#4) }\n{ r3 = mpyi(r2,r2) }\n{ memw(r1++#4) = r3 }\n"
           "{ nop }:endloop0\n";
  };
  const std::string text = "f:\n" + loop(".L0", "20") + loop(".L1", "500") + "{ jumpr r31 }\n";
  const Module module = read_assembly(text, "in.s", machine());
  PackOptions options;
  EXPECT_EQ(pack(module, machine(), options).pipelined.size(), 2u);
  int64_t least = 1;
  std::vector<PipelinedClaim> claims;
  for (; least < 100000 && claims.empty(); least += least / 4 + 1) {
    options.pipelining.module_limit = least;
    claims = pack(module, machine(), options).pipelined;
  }
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].label, ".L1");
  options = {};
  options.not_pipelined = {".L1"};
  claims = pack(module, machine(), options).pipelined;
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].label, ".L0");
}

// Every trip count from 0 on, as a constant and in a register, with pointers that overlap, lie side
// by side and lie apart. Everything is compared, so free registers must die in the code itself.
TEST(Pipeline, EveryTripCountComputesTheSame) {
  const std::string body[] = {
      "{ v0 = vmem(r16++#1) }\n{ v1 = vmem(r17++#1) }\n{ v2.h = vadd(v0.h,v1.h):sat }\n"
      "{ v3.h = vmax(v2.h,v4.h) }\n{ vmem(r18++#1) = v3 }\n",
      "{ v2 = vmem(r16++#1) }\n{ r4 = memw(r17+#0) }\n{ r5 = memw(r17+#4) }\n"
      "{ r17 = add(r17,#8) }\n{ v0.w += vrmpy(v2.ub,r4.b) }\n{ v1.w += vrmpy(v2.ub,r5.b) }\n",
      "{ r2 = memw(r16++#4) }\n{ r3 = mpyi(r2,r5) }\n{ r3 = add(r3,#7) }\n"
      "{ memw(r18++#8) = r3 }\n"};
  std::string text;
  int count = 0, expected = 0;
  for (const std::string& code : body) {
    for (const int gap : {0, 64, 256, 4096}) {
      for (int trips = 0; trips < 12; ++trips) {
        for (const bool constant : {false, true}) {
          if (constant && gap != 4096) continue;
          const std::string name = "f" + std::to_string(count++), label = ".L" + name;
          text += name + ":\n{ r17 = add(r16,#2048) }\n{ r18 = add(r16,#" + std::to_string(gap) +
                  ") }\n";
          if (!constant) text += "{ r20 = #" + std::to_string(trips) + " }\n";
          text += "{ loop0(" + label + "," + (constant ? "#" + std::to_string(trips) : "r20") +
                  ") }\n" + label + ":\n" + code + "{ nop }:endloop0\n";
          for (const char* r : {"r6", "r7", "r8", "r9", "r10", "r20", "r21"})
            text += "{ " + std::string(r) + " = #1 }\n";
          for (const char* v : {"v2", "v3", "v5", "v6", "v7", "v8"})
            text += "{ " + std::string(v) + " = vxor(v4,v4) }\n";
          text += "{ p0 = cmp.eq(r6,#0) }\n{ p1 = cmp.eq(r6,#0) }\n{ loop0(" + label +
                  "_end,#1) }\n" + label + "_end:\n{ jumpr r31 }\n";
          ++expected;
        }
      }
    }
  }
  const PackResult result = packed(text, AtReturn::kEverything);
  EXPECT_GT(static_cast<int>(result.pipelined.size()), expected / 2);
  const std::string folder = testing::fresh_folder("trip_counts");
  std::string error;
  const auto before = testing::run_functions(text, count, folder, error);
  const auto after = testing::run_functions(print_assembly(result.module), count, folder, error);
  ASSERT_EQ(error, "");
  ASSERT_EQ(before.size(), static_cast<size_t>(count));
  EXPECT_EQ(before, after);
}

// The judge on code that is wrong in ways that only a loop can be.
TEST(Pipeline, TheJudgeRefusesWrongLoops) {
  const std::string text =
      "f:\n{ loop0(.L0,r9) }\n.L0:\n{ v0 = vmem(r0++#1) }\n{ v1.h = vadd(v0.h,v0.h) }\n"
      "{ v2.h = vmax(v1.h,v5.h) }\n{ vmem(r1++#1) = v2 }\n{ nop }:endloop0\n{ jumpr r31 }\n";
  const Module original = read_assembly(text, "in.s", machine());
  const PackResult result = packed(text);
  ASSERT_EQ(result.pipelined.size(), 1u);
  const std::string good = print_assembly(result.module);
  const auto judged = [&](const std::string& changed, std::vector<PipelinedClaim> claims) {
    return !check_equal(original, read_assembly(changed, "in.s", machine()), machine(), claims)
                .empty();
  };
  EXPECT_FALSE(judged(good, result.pipelined));
  EXPECT_TRUE(judged(good, {}));  // without a claim it is no text of the original
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = good;
    const size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in\n" << good;
    if (at != std::string::npos) changed.replace(at, from.size(), to);
    return changed;
  };
  PipelinedClaim claim = result.pipelined[0];
  EXPECT_TRUE(judged(replaced("cmp.gt(r9,#", "cmp.gt(r9,#-"), {claim}));  // too few iterations
  EXPECT_TRUE(judged(replaced("cmp.gtu(", "cmp.gt("), {claim}));          // another comparison
  EXPECT_TRUE(judged(replaced("sub(r0,r1)", "sub(r0,r0)"), {claim}));     // of other pointers
  EXPECT_TRUE(judged(replaced("= add(r9,#", "= add(r9,#1"), {claim}));    // another count
  EXPECT_TRUE(judged(replaced("vmem(r1++#1)", "vmem(r1++#2)"), {claim}));
  // a load that the original does not do, of a register that nobody reads
  EXPECT_TRUE(judged(replaced("jump .L0_done", "r8 = memw(r0+#0)\n\t\tjump .L0_done"), {claim}));
  for (PipelinedClaim::Guard& guard : claim.guards) ++guard.window;  // more than what is compared
  EXPECT_TRUE(judged(good, {claim}));
}

// Where sizes and alignment leave only one way to touch, the guard asks whether two pointers are
// the same; behind a jump past the loop it costs no packet, and the short loop is in nobody's way.
TEST(Pipeline, AGuardForPointersThatMeetOnlyWhenEqual) {
  const std::string text =
      "f:\n{ r4 = add(r2,#-1) }\n{ p0 = cmp.gtu(r2,#1) }\n{ r7:6 = memd(r0++#8) }\n"
      "{ loop0(.L0,r4) }\n{ if (!p0) jump:nt .L1 }\n.L0:\n{ memd(r1++#8) = r7:6 }\n"
      "{ r7:6 = memd(r0++#8) }\n{ nop }:endloop0\n.L1:\n{ memd(r1++#8) = r7:6 }\n{ jumpr r31 }\n";
  const PackResult result = packed(text);
  ASSERT_EQ(result.pipelined.size(), 1u);
  PipelinedClaim claim = result.pipelined[0];
  EXPECT_TRUE(claim.away);
  ASSERT_EQ(claim.guards.size(), 1u);
  EXPECT_EQ(claim.guards[0].aligned, 8);
  const std::string good = print_assembly(result.module);
  const Module original = read_assembly(text, "in.s", machine());
  const auto judged = [&](const std::string& from, const std::string& to) {
    std::string changed = good;
    const size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in\n" << good;
    if (at != std::string::npos) changed.replace(at, from.size(), to);
    return !check_equal(original, read_assembly(changed, "in.s", machine()), machine(), {claim})
                .empty();
  };
  EXPECT_FALSE(judged("f:", "f:"));
  EXPECT_TRUE(judged("cmp.eq(r0,r1)", "cmp.eq(r0,r2)"));
  EXPECT_TRUE(judged("jump .L0_done", "jump .L0"));
  EXPECT_TRUE(judged("jump:nt .L0_short", "jump:nt .L0_short_body"));
  Machine lax = machine();
  lax.aligned_accesses = false;
  EXPECT_FALSE(check_equal(read_assembly(text, "in.s", lax), read_assembly(good, "in.s", lax), lax,
                           result.pipelined)
                   .empty());
  ++claim.guards[0].window;
  EXPECT_TRUE(judged("f:", "f:"));
}

// Jumps of full packets to labels that they do not reach bring an extender.
TEST(Pipeline, FarJumpsAreForTheAssembler) {
  std::string text =
      "f:\n{ r11 = add(r12,#100) }\n{ r14 = memw(r15+#400) }\n{ r16 = memw(r17+#444) }\n"
      "{ p0 = cmp.eq(r0,r2) }\n{ if (p0) jump:nt .L9 }\n";
  for (int k = 0; k < 600; ++k) text += "{ r3 = mpyi(r3,r3) }\n";
  text += ".L9:\n{ jumpr r31 }\n";
  const std::string folder = testing::fresh_folder("far");
  const std::string out = print_assembly(packed(text).module);
  EXPECT_EQ(testing::assemble_text(out, folder + "far.o", "v66"), "");
}

// A value that every kernel writes first and only code behind the loop reads.
TEST(Pipeline, TheJudgeSeesValuesThatOnlyTheLastKernelLeaves) {
  const auto loop = [](const std::string& sum) {
    return read_assembly("f:\n{ loop0(.L0,r9) }\n.L0:\n{ r2 = memw(r0++#4) }\n{ r5 = " + sum +
                             " }\n{ nop }:endloop0\n{ r0 = r5 }\n{ jumpr r31 }\n",
                         "in.s", machine());
  };
  PipelinedClaim claim;
  claim.label = ".L0";
  const Module right = loop("add(r2,r2)"), wrong = loop("add(r2,r6)");
  EXPECT_TRUE(check_equal(right, right, machine(), {claim}).empty());
  EXPECT_FALSE(check_equal(right, wrong, machine(), {claim}).empty());
}

// A loop that is not proven is named; what is wrong elsewhere is no matter of proof.
TEST(Pipeline, TheJudgeSaysWhichLoopItIsAbout) {
  const auto text = [](const std::string& sum, const std::string& behind) {
    return read_assembly("f:\n{ loop0(.L0,r9) }\n.L0:\n{ r2 = memw(r0++#4) }\n{ r5 = " + sum +
                             " }\n{ nop }:endloop0\n{ r0 = r5 }\n.L1:\n{ r0 = " + behind +
                             " }\n{ jumpr r31 }\n",
                         "in.s", machine());
  };
  PipelinedClaim claim;
  claim.label = ".L0";
  const Module right = text("add(r2,r2)", "r3");
  const auto loops = [&](const Module& wrong) {
    std::vector<std::string> labels;
    for (const Violation& v : check_equal(right, wrong, machine(), {claim}))
      labels.push_back(v.loop);
    return labels;
  };
  EXPECT_EQ(loops(text("add(r2,r6)", "r3")), std::vector<std::string>{".L0"});
  EXPECT_EQ(loops(text("add(r2,r2)", "r4")), std::vector<std::string>{""});
  EXPECT_EQ(loops(right), std::vector<std::string>{});
}

// r9:8 is free over the first loop: the packet of the call writes it, so the callee sees that
// value.
TEST(Pipeline, ACallSeesWhatItsPacketWrites) {
  const PackResult result = packed(
      "f:\n{ loop0(.L0,#3) }\n.L0:\n{ r7:6 -= mpyu(r10.l,r12.h):<<1 }\n"
      "{ r13:12 = vasrh(r15:14,#0) }\n{ r13 = memub(r19+r24<<#1) }\n{ memw(r29+#4) = r13 }\n"
      "{ r13:12 = vnavgh(r15:14,r1:0):crnd:sat }\n{ memw(r29+#12) = r0 }\n"
      "{ r12 = sfmake(#3):pos }\n{ r2 = mpy(r0.l,r4.l):sat }\n"
      "{ r13:12 = mpy(r12.l,r4.l):rnd }\n{ nop }:endloop0\n{ loop0(.L1,#2) }\n.L1:\n"
      "{ r7 = memb(r16++#-4) }\n{ nop }:endloop0\n{ r9:8 = memubh(r18+#0) }\n{ call helper }\n"
      "{ dealloc_return }\n");
  const LoopReport loop = loop_of(result);
  EXPECT_TRUE(loop.pipelined) << loop.reason;
  EXPECT_TRUE(result.warnings.empty()) << result.warnings[0];
}

TEST(Pipeline, RandomLoopsComputeTheSame) {
  const std::string folder = testing::fresh_folder("pipeline_test");
  const auto forms = testing::runnable_forms(machine(), folder);
  std::string error;
  int pipelined = 0;
  const auto differences = testing::compare_random(machine(), forms, 2024, 120, 24, {}, folder,
                                                   error, testing::Programs::kLoops, &pipelined);
  EXPECT_EQ(error, "");
  EXPECT_GT(pipelined, 40);
  EXPECT_TRUE(differences.empty()) << "function f" << differences[0].function;
}

}  // namespace
}  // namespace burin::vliw::pipeline_test

// Loops whose body is entered through a table of jumps: what they carry around must stay.
#include <gtest/gtest.h>

#include "vliw/checker/checker.h"
#include "vliw/packer.h"

namespace burin::vliw::jump_table_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

Module read(const std::string& text) { return read_assembly(text, "in.s", machine()); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kTable = ".section .rodata\n.p2align 2\n.Ltab:\n.word .Lcase\n.text\n";

// p0 goes around the outer loop; its end is reached from the table only.
const std::string kCarriedPredicate =
    "f:\nr5 = #0\nr8 = #4\np0 = cmp.gt(r8,#3)\nr9 = ##.Ltab\nr9 = memw(r9+#0)\nloop1(.Lo,r8)\n"
    ".Lo:\nif (p0) r5 = add(r5,#1)\nr5 = add(r5,#16)\njumpr r9\n"
    ".Lcase:\nr4 = memw(r16+#4)\nr3 = and(r4,#1)\np0 = cmp.eq(r3,#0)\nif (p0) jump:nt .Lx\n"
    "r5 = add(r5,#256)\n"
    ".Lx:\nr16 = add(r16,#4)\n{ nop\nnop } :endloop1\nr0 = r5\njumpr r31\n";

// r10 and r12 go around the outer loop; a loop to pipeline lies in it.
const std::string kCarriedScalars =
    "f:\nr8 = #4\nr10 = r16\nr12 = ##1234\nloop1(.Lo,r8)\n"
    ".Lo:\nr11 = memw(r10++#4)\nmemw(r16+#256) = r12\nr9 = ##.Ltab\nr9 = memw(r9+#0)\n"
    "r12 = add(r12,#5)\njumpr r9\n"
    ".Lcase:\nr13 = r18\nr14 = add(r18,#1024)\nloop0(.Lin,#40)\n"
    ".Lin:\nr5 = memw(r13++#4)\nr6 = mpyi(r5,r11)\nr6 = add(r6,r5)\nr7 = mpyi(r6,r6)\n"
    "{ memw(r14++#4) = r7\n} :endloop0\nr16 = add(r16,#4)\n{ nop\nnop } :endloop1\n"
    ".Lrest:\nr0 = r5\njumpr r31\n";

TEST(JumpTable, APredicateThatIsCarriedStays) {
  const std::string text = kCarriedPredicate + kTable;
  const std::string out = print_assembly(pack(read(text), machine(), {}).module);
  EXPECT_TRUE(has(out, "p0 = cmp.eq(r3")) << out;
  EXPECT_FALSE(has(out, "if (cmp.eq(")) << out;
  // Where no table leads there, nothing says how the loop's end is entered either.
  const std::string lost = print_assembly(pack(read(kCarriedPredicate), machine(), {}).module);
  EXPECT_TRUE(has(lost, "p0 = cmp.eq(r3")) << lost;
}

TEST(JumpTable, TheCheckerRefusesAFusedPredicate) {
  const std::string text = kCarriedPredicate + kTable;
  const std::string fused = replaced(text, "r3 = and(r4,#1)\np0 = cmp.eq(r3,#0)\nif (p0)",
                                     "{ r3 = and(r4,#1)\nif (cmp.eq(r3.new,#0))");
  const std::string wrong = replaced(fused, "jump:nt .Lx\n", "jump:nt .Lx }\n");
  EXPECT_TRUE(check_equal(read(text), read(text), machine()).empty());
  EXPECT_FALSE(check_equal(read(text), read(wrong), machine()).empty());
  // Known to be entered with the loop set up, and the predicate written first: nobody reads it.
  const auto known = [](const std::string& code) {
    return replaced(replaced(code, "jumpr r9\n", "jump .Lcase\n"), "if (p0) r5 = add(r5,#1)\n", "");
  };
  EXPECT_TRUE(check_equal(read(known(kCarriedPredicate)), read(known(replaced(wrong, kTable, ""))),
                          machine())
                  .empty());
}

TEST(JumpTable, ScalarsThatAreCarriedAreNotFree) {
  const PackResult result = pack(read(kCarriedScalars + kTable), machine(), {});
  const std::string out = print_assembly(result.module);
  const std::string behind = out.substr(out.find(".Lcase:"));
  EXPECT_EQ(result.warnings, std::vector<std::string>{});
  for (const char* carried : {"r8 =", "r9 =", "r10 =", "r12 ="})
    EXPECT_FALSE(has(behind, carried)) << carried << " in\n" << out;
}

// The same inner loop where no outer loop ends behind it may use them; put there, it is wrong.
TEST(JumpTable, TheCheckerRefusesScalarsTakenAsFree) {
  const std::string end = "{ nop\nnop } :endloop1\n";
  const PackResult once = pack(read(replaced(kCarriedScalars, end, "") + kTable), machine(), {});
  ASSERT_EQ(once.pipelined.size(), 1u);
  const std::string out = print_assembly(once.module);
  const Module original = read(kCarriedScalars + kTable);
  const Module wrong = read(replaced(out, "\t}\n.Lrest:", "\t} :endloop1\n.Lrest:"));
  EXPECT_FALSE(check_equal(original, wrong, machine(), once.pipelined).empty());
  EXPECT_TRUE(check_equal(read(replaced(kCarriedScalars, end, "") + kTable), read(out), machine(),
                          once.pipelined)
                  .empty());
}

}  // namespace
}  // namespace burin::vliw::jump_table_test

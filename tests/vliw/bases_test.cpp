// Addresses that lie a few vectors apart share a register.
#include "vliw/bases.h"

#include <gtest/gtest.h>

#include "vliw/packer.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::bases_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

std::vector<std::string> shared(const std::vector<std::string>& body, const RegisterSet& behind) {
  std::vector<Instruction> read;
  for (const std::string& text : body) read.push_back(parse_instruction(text, machine(), 1, 1));
  std::vector<std::string> out;
  for (const Instruction& i : with_shared_bases(read, behind)) out.push_back(i.text());
  return out;
}

TEST(Bases, ThoseAFewVectorsApartAreOne) {
  EXPECT_EQ(
      shared({"r2 = add(r5,#-4224)", "r7 = add(r5,#-4096)", "r6 = add(r5,#-3200)",
              "r5 = add(r5,#7680)", "v0 = vmem(r2+#0)", "v1 = vmem(r7+#1)", "v2 = vmem(r6+#-1)"},
             {}),
      (std::vector<std::string>{"r2 = add(r5,#-4224)", "r5 = add(r5,#7680)", "v0 = vmem(r2+#0)",
                                "v1 = vmem(r2+#2)", "v2 = vmem(r2+#7)"}));
}

// Too far, no whole vector, another source, one that is read as a number, in the next iteration or
// behind the loop, a base that is written between.
TEST(Bases, OthersStay) {
  RegisterSet behind;
  behind.add(kScalar + 9);
  for (const std::vector<std::string>& body : std::vector<std::vector<std::string>>{
           {"r2 = add(r5,#0)", "r7 = add(r5,#1024)", "v0 = vmem(r7+#0)"},
           {"r2 = add(r5,#0)", "r7 = add(r5,#64)", "v0 = vmem(r7+#0)"},
           {"r2 = add(r5,#0)", "r7 = add(r6,#128)", "v0 = vmem(r7+#0)"},
           {"r2 = add(r5,#0)", "r5 = add(r8,#0)", "r7 = add(r5,#128)", "v0 = vmem(r7+#0)"},
           {"r2 = add(r5,#0)", "r7 = add(r5,#128)", "v0 = vmem(r7+#0)", "r8 = add(r7,r8)"},
           {"v0 = vmem(r7+#0)", "r2 = add(r5,#0)", "r7 = add(r5,#128)", "v1 = vmem(r7+#0)"},
           {"r2 = add(r5,#0)", "r9 = add(r5,#128)", "v0 = vmem(r9+#0)"},
           {"r2 = add(r5,#0)", "r7 = add(r5,#128)", "r2 = memw(r8+#0)", "v0 = vmem(r7+#0)"}})
    EXPECT_EQ(shared(body, behind), body);
}

// On the emulator, every number of trips.
TEST(Bases, KernelsComputeTheSame) {
  std::string text;
  int functions = 0;
  for (int trips = 0; trips < 12; ++trips) {
    const std::string name = "f" + std::to_string(functions++), label = ".L" + name;
    text += name + ":\n{ r20 = #" + std::to_string(trips) + " }\n{ r17 = add(r16,#1024) }\n" +
            "{ loop0(" + label + ",r20) }\n" + label +
            ":\n{ r2 = add(r17,#-1024) }\n{ r7 = add(r17,#-896) }\n{ r6 = add(r17,#-768) }\n"
            "{ v12 = vmem(r2+#0) }\n{ v13 = vmem(r7+#0) }\n{ v14 = vmem(r6+#0) }\n"
            "{ r17 = add(r17,#128) }\n{ v0.w += vrmpy(v12.ub,r4.b) }\n"
            "{ v1.w += vrmpy(v13.ub,r4.b) }\n{ v2.w += vrmpy(v14.ub,r4.b) }\n"
            "{ v3.w += vrmpy(v14.ub,r5.b) }\n{ nop }:endloop0\n"
            "{ v12 = vxor(v4,v4) }\n{ v13 = vxor(v4,v4) }\n{ v14 = vxor(v4,v4) }\n";
    for (const char* r : {"r2", "r6", "r7", "r8", "r9", "r10", "r20"})
      text += "{ " + std::string(r) + " = #1 }\n";
    text += "{ p0 = cmp.eq(r6,#0) }\n{ loop0(" + label + "_end,#1) }\n" + label +
            "_end:\n{ jumpr r31 }\n";
  }
  PackOptions options;
  options.at_return = AtReturn::kEverything;
  const PackResult result = pack(read_assembly(text, "in.s", machine()), machine(), options);
  EXPECT_EQ(result.pipelined.size(), static_cast<size_t>(functions));
  EXPECT_TRUE(result.warnings.empty());
  const std::string out = print_assembly(result.module);
  EXPECT_NE(out.find("vmem(r2+#1)"), std::string::npos);
  const std::string folder = testing::fresh_folder("bases");
  std::string error;
  const auto before = testing::run_functions(text, functions, folder, error);
  const auto after = testing::run_functions(out, functions, folder, error);
  ASSERT_EQ(error, "");
  ASSERT_EQ(before.size(), static_cast<size_t>(functions));
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace burin::vliw::bases_test

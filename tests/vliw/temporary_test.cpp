// Vector loads that only their packet reads: kernels with `.tmp`, what they compute on the
// emulator, and the judge of them.
#include <gtest/gtest.h>

#include "vliw/checker/checker.h"
#include "vliw/packer.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::temporary_test {
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

std::vector<Packet> kernel_of(const PackResult& result) {
  for (const BlockReport& block : result.blocks) {
    if (block.part == "kernel") return block.packets;
  }
  return {};
}

size_t count(const Packet& packet, const std::string& part) {
  size_t found = 0;
  for (const Instruction& i : packet.instructions)
    found += i.text().find(part) != std::string::npos;
  return found;
}

// Products of `groups` groups for four rows and four vectors, two rows at a time.
std::string products(int groups) {
  std::string text = "f:\n{ loop0(.L0,#32) }\n.L0:\n";
  const auto add = [&](const std::string& one) { text += "{ " + one + " }\n"; };
  for (int g = 0; g < groups; ++g) {
    for (int p = 0; p < 2; ++p) {
      const int r = 4 + 4 * g + 2 * p;
      add("r" + std::to_string(r + 1) + ":" + std::to_string(r) + " = memd(r0+#" +
          std::to_string(16 * g + 8 * p) + ")");
    }
    for (int v = 0; v < 4; ++v) {
      const std::string vector = "v" + std::to_string(16 + 4 * g + v);
      add(vector + " = vmem(r1+#" + std::to_string(4 * g + v - 4) + ")");
      for (int p = 0; p < 2; ++p) {
        const int c = 8 * p + 2 * v, r = 4 + 4 * g + 2 * p;
        add("v" + std::to_string(c + 1) + ":" + std::to_string(c) + ".uw += vrmpy(" + vector +
            ".ub,r" + std::to_string(r + 1) + ":" + std::to_string(r) + ".ub)");
      }
    }
  }
  add("r0 = add(r0,#" + std::to_string(16 * groups) + ")");
  return text + "{ r1 = add(r1,#" + std::to_string(512 * groups) +
         "); nop }:endloop0\n{ jumpr r31 }\n";
}

// Two products of 32 lanes x 4 terms x 2 rows a packet: 512 multiply-adds, with the vector beside
// them.
TEST(Temporary, ProductsOfPairsFillEveryPacket) {
  const PackResult result = packed(products(2));
  const std::vector<Packet> kernel = kernel_of(result);
  ASSERT_EQ(kernel.size(), 8u);
  for (const Packet& packet : kernel) {
    EXPECT_EQ(count(packet, "vrmpy"), 2u) << print_packet(packet);
    EXPECT_EQ(count(packet, ".tmp = vmem"), 1u) << print_packet(packet);
  }
  EXPECT_TRUE(result.warnings.empty());
}

// A vector that more products read than fit beside it is loaded again: 8 products in 4 packets.
TEST(Temporary, LoadsAreMadeAgainForFurtherReaders) {
  std::string text =
      "f:\n{ loop0(.L0,r3) }\n.L0:\n{ v30 = vmem(r0++#1) }\n{ v31 = vmem(r0++#1) }\n";
  for (int p = 0; p < 4; ++p)
    text +=
        "{ r" + std::to_string(5 + 2 * p) + ":" + std::to_string(4 + 2 * p) + " = memd(r1++#8) }\n";
  for (int c = 0; c < 8; ++c)
    text += "{ v" + std::to_string(2 * c + 1) + ":" + std::to_string(2 * c) + ".w += vrmpy(v" +
            std::to_string(30 + c / 4) + ".b,r" + std::to_string(5 + 2 * (c % 4)) + ":" +
            std::to_string(4 + 2 * (c % 4)) + ".ub) }\n";
  const std::vector<Packet> kernel = kernel_of(packed(text + "{ nop }:endloop0\n{ jumpr r31 }\n"));
  ASSERT_EQ(kernel.size() % 4, 0u);
  size_t multiplied = 0;
  for (const Packet& packet : kernel) multiplied += count(packet, "vrmpy");
  EXPECT_EQ(multiplied, 2 * kernel.size());
}

// What a pair of multipliers and a pair of others leave no unit for a load beside; all is compared
// behind every number of trips.
TEST(Temporary, KernelsComputeTheSame) {
  std::string text;
  int functions = 0;
  for (int trips = 0; trips < 12; ++trips) {
    for (const bool constant : {false, true}) {
      const std::string name = "f" + std::to_string(functions++), label = ".L" + name;
      text += name + ":\n{ r20 = #" + std::to_string(trips) + " }\n{ r17 = add(r16,#2048) }\n" +
              "{ loop0(" + label + "," + (constant ? "#" + std::to_string(trips) : "r20") +
              ") }\n" + label +
              ":\n{ v2 = vmem(r16++#1) }\n{ v5:4.uh += vmpy(v2.ub,r4.ub) }\n"
              "{ v7:6.uh = vzxt(v2.ub) }\n{ v9:8.h = vadd(v9:8.h,v7:6.h) }\n"
              "{ v11:10.uh += vmpy(v2.ub,r5.ub) }\n{ nop }:endloop0\n"
              "{ v2 = vxor(v4,v4) }\n{ v7:6 = vcombine(v4,v4) }\n";
      for (const char* v : {"v12", "v13", "v14", "v15", "v16"})
        text += "{ " + std::string(v) + " = vxor(v4,v4) }\n";
      for (const char* r : {"r6", "r7", "r8", "r9", "r10", "r20"})
        text += "{ " + std::string(r) + " = #1 }\n";
      text += "{ p0 = cmp.eq(r6,#0) }\n{ p1 = cmp.eq(r6,#0) }\n{ loop0(" + label + "_end,#1) }\n" +
              label + "_end:\n{ jumpr r31 }\n";
    }
  }
  const PackResult result = packed(text, AtReturn::kEverything);
  const std::string out = print_assembly(result.module);
  EXPECT_NE(out.find(".tmp = vmem"), std::string::npos);
  std::vector<size_t> kernels;
  for (const BlockReport& block : result.blocks) {
    if (block.part == "kernel") kernels.push_back(block.packets.size());
  }
  ASSERT_FALSE(kernels.empty());
  EXPECT_EQ(kernels, std::vector<size_t>(kernels.size(), 2));
  const std::string folder = testing::fresh_folder("temporary");
  std::string error;
  const auto before = testing::run_functions(text, functions, folder, error);
  const auto after = testing::run_functions(out, functions, folder, error);
  ASSERT_EQ(error, "");
  ASSERT_EQ(before.size(), static_cast<size_t>(functions));
  EXPECT_EQ(before, after);
}

TEST(Temporary, TheJudgeKnowsThatNothingIsWritten) {
  const auto read = [](const std::string& text) {
    return read_assembly("f:\n" + text + "{ jumpr r31 }\n", "in.s", machine());
  };
  const Module original =
      read("{ v2 = vmem(r0++#1) }\n{ v0.w = vadd(v2.w,v1.w) }\n{ v2 = vxor(v1,v1) }\n");
  const std::string sum = "{ v2.tmp = vmem(r0++#1); v0.w = vadd(v2.w,v1.w) }\n";
  EXPECT_TRUE(check_equal(original, read(sum + "{ v2 = vxor(v1,v1) }\n"), machine()).empty());
  EXPECT_FALSE(check_equal(original, read(sum), machine()).empty());
  EXPECT_FALSE(check_equal(original,
                           read("{ v2.tmp = vmem(r0+#0); v0.w = vadd(v2.w,v1.w) }\n"
                                "{ v2 = vxor(v1,v1) }\n"),
                           machine())
                   .empty());
}

}  // namespace
}  // namespace burin::vliw::temporary_test

// A quick round of pack_programs.
#include "vliw/support/programs.h"

#include <gtest/gtest.h>

#include "vliw/support/emulator.h"

namespace burin::vliw::programs_test {
namespace {

TEST(Programs, PrintTheSameWhenPacked) {
  const testing::Compilation compilations[] = {
      {"v66", "-O2"}, {"v65", "-O1 -mllvm -disable-packetizer -mno-nvj"}, {"v73", "-O0"}};
  const std::string folder = testing::fresh_folder("programs");
  for (const testing::Compilation& compilation : compilations) {
    const testing::ProgramCounts counts =
        testing::compare_programs(compilation, {Policy::kBest, Policy::kSda}, folder);
    EXPECT_EQ(counts.compared, 10);
    EXPECT_TRUE(counts.problems.empty()) << counts.problems[0];
  }
}

}  // namespace
}  // namespace burin::vliw::programs_test

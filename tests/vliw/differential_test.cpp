// A quick round of pack_differential: random programs, original against packed, on the emulator.
#include "vliw/support/differential.h"

#include <gtest/gtest.h>

#include "vliw/support/emulator.h"

namespace burin::vliw::differential_test {
namespace {

TEST(Differential, EveryPolicyComputesTheSame) {
  const Machine machine =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  const std::string folder = testing::fresh_folder("differential_test");
  const auto forms = testing::runnable_forms(machine, folder);
  ASSERT_GT(forms.size(), 1300u);
  uint64_t seed = 4711;
  for (const char* policy : {"soft-to-hard", "soft-to-none", "sda", "list", "best"}) {
    PackOptions options;
    options.policy = policy_of(policy);
    std::string error;
    const auto differences =
        testing::compare_random(machine, forms, ++seed, 120, 24, options, folder, error);
    EXPECT_EQ(error, "") << policy;
    EXPECT_TRUE(differences.empty()) << policy << " function f" << differences[0].function;
  }
}

// A wrong packet must be seen: the emulator reads old values inside a packet.
TEST(Differential, TheEmulatorShowsAHiddenReadAfterWrite) {
  const std::string folder = testing::fresh_folder("hidden_raw");
  const std::string apart = "f0:\n{ r1 = add(r2,r3) }\n{ r4 = add(r1,#1) }\n{ jumpr r31 }\n";
  const std::string together = "f0:\n{ r1 = add(r2,r3); r4 = add(r1,#1) }\n{ jumpr r31 }\n";
  std::string error;
  const auto a = testing::run_functions(apart, 1, folder, error);
  const auto b = testing::run_functions(together, 1, folder, error);
  ASSERT_EQ(error, "");
  ASSERT_EQ(a.size(), 1u);
  ASSERT_EQ(b.size(), 1u);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace burin::vliw::differential_test

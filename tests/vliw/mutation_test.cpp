// A quick round of pack_mutation.
#include <gtest/gtest.h>

#include "vliw/support/emulator.h"
#include "vliw/support/mutate.h"
#include "vliw/support/mutation_round.h"

namespace burin::vliw::mutation_test {
namespace {

TEST(Mutation, TheCheckerCatchesEveryMutantThatMatters) {
  const Machine machine =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  const std::string folder = testing::fresh_folder("mutation_test");
  const auto forms = testing::runnable_forms(machine, folder);
  std::string error;
  const testing::MutationCounts counts =
      testing::mutation_round(machine, forms, 99, 300, folder, error);
  ASSERT_EQ(error, "");
  EXPECT_GT(counts.changed, 20);
  EXPECT_GT(counts.refused, 50);
  EXPECT_GE(counts.kinds.size(), testing::kMutations.size() - 2);  // some are rare
  EXPECT_TRUE(counts.missed.empty()) << counts.missed[0];
}

}  // namespace
}  // namespace burin::vliw::mutation_test

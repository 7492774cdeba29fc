// A small round of pack_speed, without the clock.
#include <gtest/gtest.h>

#include "vliw/packer.h"
#include "vliw/support/large_input.h"

namespace burin::vliw::large_test {
namespace {

TEST(Large, EveryKindOfInputPacksTheSameTwice) {
  const Machine machine =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  for (const char* kind : {"compiled", "random", "searched", "straight", "memory"}) {
    const Module module = read_assembly(testing::large_input(kind, 2000, machine), kind, machine);
    ASSERT_GE(testing::instructions_of(module), 2000);
    PackOptions options;
    options.module_node_limit = 5000;
    const PackResult once = pack(module, machine, options), again = pack(module, machine, options);
    EXPECT_EQ(print_assembly(once.module), print_assembly(again.module)) << kind;
    int before = 0, after = 0;
    for (const BlockReport& block : once.blocks) {
      before += block.before.packets;
      after += block.after.packets;
      EXPECT_GE(block.after.packets, block.bound.packets);
    }
    EXPECT_LT(after, before) << kind;
  }
}

}  // namespace
}  // namespace burin::vliw::large_test

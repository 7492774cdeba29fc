// usr's sticky bits: instructions that saturate or round add to them in any order, a write of usr
// puts others in their place.
#include <gtest/gtest.h>

#include "vliw/checker/checker.h"
#include "vliw/packer.h"
#include "vliw/support/differential.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::sticky_test {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

std::string packed(const std::string& text) {
  PackOptions options;
  options.at_return = AtReturn::kEverything;
  return print_assembly(pack(read_assembly(text, "in.s", machine()), machine(), options).module);
}

const std::string kFunctions =
    // one that may saturate in front of the write
    "f0:\nr4 = #0\nr5 = add(r1,r2):sat\nusr = r4\nr6 = usr\njumpr r31\n"
    // floating point, read at the end
    "f1:\nr1 = ##0x00c00000\nr2 = ##0x3f800001\nr3 = ##0x33800001\nusr = r1\nr5 = sfadd(r2,r3)\n"
    "r1 = #0\nusr = r1\nr6 = sfadd(r2,r3)\nr7 = usr\njumpr r31\n"
    // between two writes
    "f2:\nr1 = ##0x7fffffff\nr2 = #1\nr3 = add(r1,r2):sat\nr4 = #0\nusr = r4\n"
    "r5 = add(r1,r4):sat\nr6 = usr\nr7 = add(r1,r2):sat\nr8 = usr\nr4 = #1\nusr = r4\nr9 = usr\n"
    "jumpr r31\n"
    // a write as the last, as the first, and two with a long way to the first
    "f3:\nr4 = #0\nr1 = ##0x7fffffff\nr5 = add(r1,r1):sat\nusr = r4\njumpr r31\n"
    "f4:\nr4 = #0\nr1 = ##0x7fffffff\nusr = r4\nr5 = add(r1,r1):sat\nr6 = mpyi(r5,r5)\n"
    "jumpr r31\n"
    "f5:\nr4 = #0\nr1 = ##0x7fffffff\nr7 = memw(r16+#0)\nr8 = mpyi(r7,r7)\nusr = r8\n"
    "r5 = add(r1,r1):sat\nusr = r4\njumpr r31\n"
    // in a loop
    "f6:\nr4 = #0\nr1 = ##0x7fffffff\nloop0(.L6,#9)\n.L6:\nr2 = memw(r16++#4)\n"
    "r3 = add(r2,r1):sat\nr5 = usr\nusr = r4\n{ memw(r17++#4) = r5\n} :endloop0\njumpr r31\n"
    // a read sees the bits from before its packet
    "f7:\nr4 = #0\nr1 = ##0x7fffffff\nusr = r4\n{ r5 = add(r1,r1):sat\nr6 = usr }\njumpr r31\n";
constexpr int kCount = 8;

TEST(Sticky, AWriteOfUsrKeepsItsPlace) {
  const std::string out = packed(kFunctions);
  const std::string folder = testing::fresh_folder("sticky");
  std::string error;
  const auto before = testing::run_functions(kFunctions, kCount, folder, error);
  const auto after = testing::run_functions(out, kCount, folder, error);
  ASSERT_EQ(error, "");
  ASSERT_EQ(before.size(), static_cast<size_t>(kCount));
  EXPECT_EQ(before, after) << out;
}

TEST(Sticky, GatheringSharesAPacket) {
  EXPECT_EQ(packed("r5 = add(r1,r2):sat\nr6 = add(r3,r4):sat\n"),
            "\t{\n\t\tr5 = add(r1,r2):sat\n\t\tr6 = add(r3,r4):sat\n\t}\n");
}

}  // namespace
}  // namespace burin::vliw::sticky_test

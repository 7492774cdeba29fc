// Descriptions of hardware beside the packer's machines: what rows of isa/ say of a packet is what
// pipes allow there.
#include <gtest/gtest.h>

#include <map>

#include "hardware/load.h"
#include "vliw/checker/checker.h"
#include "vliw/packer.h"

namespace burin::vliw::description_test {
namespace {

// An instruction of each row; $ is a register of its own, $$ a pair, % a source vector.
const std::map<std::string, std::string>& instructions() {
  static const std::map<std::string, std::string> all = {
      {"vrmpybus_1024", "$.w += vrmpy(%.ub,r0.b)"},
      {"vrmpyub_1024", "$.uw += vrmpy(%.ub,r0.ub)"},
      {"vrmpybusv_1024", "$.w += vrmpy(%.ub,%.b)"},
      {"vrmpybv_1024", "$.w += vrmpy(%.b,%.b)"},
      {"vrmpybusi_1024", "$$.w += vrmpy(v31:30.ub,r0.b,#0)"},
      {"vrmpyubi_1024", "$$.uw += vrmpy(v31:30.ub,r0.ub,#0)"},
      {"vrmpyub_rtt_1024", "$$.uw += vrmpy(%.ub,r1:0.ub)"},
      {"vmpyowh_1024", "$.w += vmpyo(%.w,%.h):<<1:sat:shift"},
      {"vmpyiewh_1024", "$.w += vmpyie(%.w,%.uh)"},
      {"vmpabus_1024", "$$.h += vmpa(v31:30.ub,r0.b)"},
      {"vlutvvb_1024", "$.b |= vlut32(%.b,%.b,r0)"},
      {"vmaxub_1024", "$.ub = vmax(%.ub,%.ub)"},
      {"valignb_1024", "$ = valign(%,%,r0)"},
      {"vshuffvdd_1024", "$$ = vdeal(%,%,r0)"},
  };
  return all;
}

// So many of it in one packet.
std::string packet_of(const std::string& instruction, int count) {
  std::string out = "{ ";
  for (int k = 0; k < count; ++k) {
    std::string one = instruction;
    const auto put = [&](const std::string& what, const std::string& with) {
      for (size_t place = one.find(what); place != std::string::npos; place = one.find(what))
        one.replace(place, what.size(), with);
    };
    put("$$", "v" + std::to_string(2 * k + 1) + ":" + std::to_string(2 * k));
    put("$", "v" + std::to_string(k));
    put("%", "v20");
    out += (k > 0 ? "; " : "") + one;
  }
  return out + " }";
}

TEST(Descriptions, RowsAreWhatPacketsHold) {
  for (const std::string version : {"v66", "v66-pairs", "v68", "v73"}) {
    const std::string folder = BURIN_SOURCE_DIR "/configs/";
    const Hardware hardware = load_hardware(folder + "hexagon-" + version + ".json");
    EXPECT_EQ(hardware.packer, "vliw/hexagon-" + version.substr(0, 3) + ".json");
    const Machine machine = load_machine(folder + hardware.packer);
    EXPECT_EQ(hardware.integer_vector->vector_bytes, machine.vector_bytes);
    EXPECT_FALSE(hardware.rows.empty());
    for (const RowTiming& row : hardware.rows) {
      const std::string& instruction = instructions().at(row.instruction);
      const auto fits = [&](int count) {
        const std::string text = packet_of(instruction, count);
        return check_packets(read_assembly(text, "row.s", machine), machine).empty();
      };
      EXPECT_TRUE(fits(row.per_cycle)) << version << ' ' << packet_of(instruction, row.per_cycle);
      EXPECT_FALSE(fits(row.per_cycle + 1)) << version << ' ' << row.instruction;
    }
  }
}

// The copy of a description that a tree keeps names the file that comes with burin.
TEST(Description, OfATreeHasThePackerOfBurin) {
  const std::string source = BURIN_SOURCE_DIR;
  EXPECT_EQ(machine_path_of(source + "/configs/hexagon-v66.json"),
            source + "/configs/vliw/hexagon-v66.json");
  const std::string kept =
      machine_path_of(source + "/generated_examples/qdq_conv/made_from/hardware.json");
  EXPECT_EQ(kept, "configs/vliw/hexagon-v66.json");
  EXPECT_EQ(load_machine(kept).name, "hexagon-v66");
}

}  // namespace
}  // namespace burin::vliw::description_test

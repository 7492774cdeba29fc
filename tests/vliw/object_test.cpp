// The packer, its checker and the reader share one parser and one instruction table. These tests
// put both beside LLVM's own: the packets that the assembler writes, as its disassembler decodes
// them, are those that we mean; and two instructions may share a packet for us where they may for
// the assembler, for each pair of kinds of instructions in the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "vliw/checker/checker.h"
#include "vliw/effects.h"
#include "vliw/pack.h"
#include "vliw/support/differential.h"
#include "vliw/support/emulator.h"
#include "vliw/support/random_assembly.h"

namespace burin::vliw {
namespace {

const Machine& machine() {
  static const Machine v66 =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  return v66;
}

// Form, registers and numbers; the disassembler has addresses where the text has names.
std::string meaning(const Instruction& i) {
  std::string text = key_of(i);
  // written in two ways
  for (const char* frame : {"dealloc_return", "deallocframe", "allocframe"}) {
    if (text.find(frame) != std::string::npos) return frame;
  }
  for (const Operand& operand : i.operands) {
    if (operand.kind == '@') continue;
    text += " ";
    if (operand.kind != 'i')
      text += operand.text;
    else if (operand.has_value)
      text += std::to_string(static_cast<int32_t>(operand.value));
  }
  return text;
}

using Packets = std::vector<std::vector<std::string>>;  // sorted inside

// Packets of nop alone are the assembler's padding.
void add(Packets& all, std::vector<std::string> packet) {
  if (packet.empty()) return;
  std::sort(packet.begin(), packet.end());
  all.push_back(std::move(packet));
}

// A word may hold two instructions: a compound, a duplex.
std::vector<std::string> halves(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream pieces(text);
  for (std::string piece; std::getline(pieces, piece, ';');) {
    const size_t begin = piece.find_first_not_of(" \t"), end = piece.find_last_not_of(" \t");
    if (begin != std::string::npos) all.push_back(piece.substr(begin, end + 1 - begin));
  }
  return all;
}

Packets packets_of(const Module& module) {
  Packets all;
  for (const Item& item : module.items) {
    if (item.kind != Item::Kind::kPacket) continue;
    std::vector<std::string> packet;
    for (const Instruction& i : item.packet.instructions) {
      for (const std::string& half : halves(i.text())) {
        if (half != "nop") packet.push_back(meaning(parse_instruction(half, machine(), 1, 1)));
      }
    }
    add(all, std::move(packet));
  }
  return all;
}

// "   10: { \tr4 = lsr(r5,#0x1)": one instruction a line, two for a duplex.
Packets packets_of_object(const std::string& object) {
  const testing::Output dump = testing::run_command(
      "llvm-objdump-19 -d --no-show-raw-insn --mattr=+hvxv66,+hvx-length128b " + object);
  Packets all;
  std::vector<std::string> packet;
  std::istringstream lines(dump.text);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos || line[0] != ' ') continue;
    std::string text = line.substr(colon + 2);
    const bool last = text.find('}') != std::string::npos;
    text = text.substr(0, text.find('}'));
    if (const size_t open = text.find('{'); open != std::string::npos) text = text.substr(open + 1);
    // addresses that the disassembler names, "0x40 <f+0x8>"
    for (size_t at = text.find(" <"); at != std::string::npos; at = text.find(" <"))
      text.erase(at, text.find('>', at) + 1 - at);
    for (const std::string& part : halves(text)) {
      if (part.find("immext") == 0 || part == "nop") continue;
      packet.push_back(meaning(parse_instruction(part, machine(), 1, 1)));
    }
    if (!last) continue;
    add(all, std::move(packet));
    packet = {};
  }
  return all;
}

TEST(Object, TheDisassemblerFindsThePacketsThatWeMean) {
  const std::string folder = testing::fresh_folder("object");
  for (const char* name : {"kernels_packed.s", "calls_unpacked.s"}) {
    const Module read = read_assembly(
        testing::read_text(std::string(BURIN_SOURCE_DIR) + "/tests/vliw/data/" + name), name,
        machine());
    const PackResult packed = pack(read, machine(), {});
    const std::string object = folder + "out.o";
    ASSERT_EQ(testing::assemble_text(print_assembly(packed.module), object, "v66"), "");
    const Packets ours = packets_of(packed.module), theirs = packets_of_object(object);
    ASSERT_GT(ours.size(), 50u);
    ASSERT_EQ(ours.size(), theirs.size()) << name;
    for (size_t p = 0; p < ours.size(); ++p) {
      // numbers that are addresses to be filled in differ; forms and registers do not
      ASSERT_EQ(ours[p].size(), theirs[p].size()) << name << " packet " << p;
      for (size_t k = 0; k < ours[p].size(); ++k) {
        const bool named = !ours[p][k].empty() && ours[p][k].back() == ' ';
        EXPECT_EQ(ours[p][k], named ? theirs[p][k].substr(0, ours[p][k].size()) : theirs[p][k])
            << name;
      }
    }
  }
}

// One form of each kind that the rules can tell apart.
std::vector<const Form*> representatives() {
  std::map<std::pair<int, uint32_t>, const Form*> kinds;
  for (const Form* form : testing::assembled_forms(machine(), testing::fresh_folder("kinds")))
    kinds.try_emplace({form->timing, form->traits & ~(kIfTrue | kIfFalse)}, form);
  std::vector<const Form*> all;
  for (const auto& [kind, form] : kinds) all.push_back(form);
  return all;
}

RegisterSet written(const std::string& text) {
  return effects_of(parse_instruction(text, machine(), 1, 1)).writes;
}

TEST(Object, TwoInstructionsShareAPacketWhereTheyDoForTheAssembler) {
  const std::vector<const Form*> forms = representatives();
  ASSERT_GT(forms.size(), 60u);
  testing::Random random(5);
  std::string text;
  std::vector<std::string> packets;
  for (size_t a = 0; a < forms.size(); ++a) {
    for (size_t b = a; b < forms.size(); ++b) {
      for (int tries = 0; tries < 20; ++tries) {
        const std::string x = testing::random_instruction(*forms[a], random);
        const std::string y = testing::random_instruction(*forms[b], random);
        RegisterSet both = written(x) & written(y);
        both.remove(kSticky);
        if (!both.empty()) continue;
        packets.push_back("{ " + x + "; " + y + " }");
        text += packets.back() + "\n";
        break;
      }
    }
  }
  const std::string folder = testing::fresh_folder("pairs");
  std::set<size_t> refused, judged;
  std::istringstream messages(testing::assemble_text(text, folder + "pairs.o", "v66"));
  for (std::string line; std::getline(messages, line);) {
    const size_t at = line.find("pairs.o.s:");
    if (at != std::string::npos && line.find("error:") != std::string::npos)
      refused.insert(std::stoul(line.substr(at + 10)));
  }
  for (const Violation& v : check_packets(read_assembly(text, "pairs.s", machine()), machine()))
    judged.insert(static_cast<size_t>(v.line));
  EXPECT_GT(refused.size(), 100u);
  EXPECT_LT(refused.size(), packets.size() - 1000);
  // Where we are stricter: the scheduling model gives this multiply all four vector units, the
  // assembler does not ask for them.
  const auto stricter = [&](size_t line) {
    return packets[line - 1].find(".uw=vrmpy(") != std::string::npos ||
           packets[line - 1].find(".uw+=vrmpy(") != std::string::npos;
  };
  std::string differ;
  int count = 0;
  for (size_t line = 1; line <= packets.size(); ++line) {
    if (refused.count(line) == judged.count(line)) continue;
    if (refused.count(line) == 0 && stricter(line)) continue;
    if (++count <= 20)
      differ += (refused.count(line) ? "the assembler refuses " : "we refuse ") +
                packets[line - 1] + "\n";
  }
  EXPECT_EQ(count, 0) << count << " of " << packets.size() << "\n" << differ;
}

}  // namespace
}  // namespace burin::vliw

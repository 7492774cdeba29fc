#include "vliw/assembly.h"

namespace burin::vliw {

std::string print_packet(const Packet& packet) {
  std::string out = "{ ";
  for (size_t i = 0; i < packet.instructions.size(); ++i) {
    if (i > 0) out += "; ";
    out += packet.instructions[i].text();
  }
  out += " }";
  if (packet.memory_in_order) out += ":mem_noshuf";
  if (packet.end_loop0) out += ":endloop0";
  if (packet.end_loop1) out += ":endloop1";
  return out;
}

std::string print_assembly(const Module& module) {
  std::string out;
  for (const Item& item : module.items) {
    if (item.kind == Item::Kind::kDirective) {
      out += item.text + "\n";
      continue;
    }
    if (item.kind == Item::Kind::kLabel) {
      out += item.packet.comments.empty() ? item.text + ":\n" : item.packet.comments[0] + "\n";
      continue;
    }
    const Packet& packet = item.packet;
    out += "\t{\n";
    for (const std::string& comment : packet.comments) out += comment + "\n";
    for (const Instruction& instruction : packet.instructions) {
      out += "\t\t" + instruction.text();
      out += instruction.comment + "\n";
    }
    out += "\t}";
    if (packet.memory_in_order) out += " :mem_noshuf";
    if (packet.end_loop0) out += " :endloop0";
    if (packet.end_loop1) out += " :endloop1";
    out += packet.tail_comment + "\n";
  }
  return out;
}

}  // namespace burin::vliw

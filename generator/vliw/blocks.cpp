#include "vliw/blocks.h"

#include <algorithm>
#include <utility>

#include "support/check.h"
#include "support/diagnostics.h"
#include "vliw/effects.h"

namespace burin::vliw {
namespace {

bool is_comment(std::string_view line) {
  const size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos || line.substr(at, 2) == "//" ||
         line.substr(at, 5) == ".loc\t" || line.substr(at, 5) == ".loc ";
}

bool only_nops(const Packet& packet) {
  return std::all_of(
      packet.instructions.begin(), packet.instructions.end(),
      [](const Instruction& i) { return i.form != nullptr && i.form->key == "nop"; });
}

// An unconditional jump behind a conditional one may share its packet, so they share their block.
bool second_jump(const Packet& packet) {
  return packet.instructions.size() == 1 && packet.instructions[0].form != nullptr &&
         packet.instructions[0].form->is(kJump) && packet.instructions[0].form->is(kFlowSecond) &&
         !packet.instructions[0].form->is(kIfTrue | kIfFalse) && !packet.end_loop0 &&
         !packet.end_loop1;
}

class Cutter {
 public:
  Cutter(const Module& module, const Machine& machine, const DissolveOptions& options)
      : module_(module), machine_(machine), options_(options) {
    program_.file = module.file;
  }

  Program run() {
    const std::vector<Item>& items = module_.items;
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].kind != Item::Kind::kPacket) {
        if (items[i].kind == Item::Kind::kDirective && is_comment(items[i].text) &&
            !block_.original.empty()) {
          held_.push_back(items[i]);
          continue;
        }
        close();
        add_text(items[i]);
        continue;
      }
      const bool ends = add_packet(items[i].packet);
      if (!ends) continue;
      // look past comments for a second jump
      size_t next = i + 1;
      while (next < items.size() && items[next].kind == Item::Kind::kDirective &&
             is_comment(items[next].text))
        ++next;
      const Packet& packet = items[i].packet;
      const bool conditional =
          packet.instructions.size() == 1 && packet.instructions[0].form != nullptr &&
          packet.instructions[0].form->is(kFlowFirst) && packet.instructions[0].form->is(kJump) &&
          packet.instructions[0].form->is(kIfTrue | kIfFalse) && !packet.end_loop0;
      if (conditional && next < items.size() && items[next].kind == Item::Kind::kPacket &&
          second_jump(items[next].packet)) {
        add_packet(items[next].packet);
        i = next;
      }
      close();
    }
    close();
    return std::move(program_);
  }

 private:
  void add_text(const Item& item) {
    Segment segment;
    segment.text = item;
    program_.segments.push_back(std::move(segment));
  }

  // True if the block ends behind this packet.
  bool add_packet(const Packet& packet) {
    if (block_.original.empty()) block_.line = packet.line;
    block_.original.push_back(packet);
    for (const Instruction& instruction : packet.instructions) {
      if (!instruction.unknown()) continue;
      const std::string where = module_.file + ":" + std::to_string(instruction.line) + ":" +
                                std::to_string(instruction.column);
      if (options_.strict) {
        located({module_.file,
                 std::to_string(instruction.line) + ":" + std::to_string(instruction.column), "",
                 "", ""},
                [&] {
                  refuse("unknown-instruction", "the table of " + machine_.name + " has no " +
                                                    quoted(key_of(instruction)));
                });
      }
      program_.warnings.push_back(where + ": warning: the table of " + machine_.name + " has no " +
                                  quoted(key_of(instruction)) + "; its packet is kept as it is");
    }
    bool ends = packet.end_loop0 || packet.end_loop1;
    if (!only_nops(packet)) {
      for (Unit& unit : dissolve_packet(packet, machine_)) {
        for (const Instruction& instruction : unit.instructions)
          ends = ends || changes_flow(instruction) || instruction.unknown();
        const bool nop = unit.instructions.size() == 1 && unit.instructions[0].form != nullptr &&
                         unit.instructions[0].form->key == "nop";
        if (!nop) block_.units.push_back(std::move(unit));
      }
    }
    block_.end_loop0 = packet.end_loop0;
    block_.end_loop1 = packet.end_loop1;
    return ends || block_.units.size() >= options_.longest;
  }

  void close() {
    if (!block_.original.empty()) {
      if (block_.units.empty()) {  // nothing but nops: kept, because something may count on them
        Unit unit;
        unit.instructions = block_.original.back().instructions;
        unit.closed = true;
        block_.units.push_back(std::move(unit));
      }
      Segment segment;
      segment.is_block = true;
      segment.block = std::move(block_);
      program_.segments.push_back(std::move(segment));
      block_ = {};
    }
    for (const Item& item : held_) add_text(item);
    held_.clear();
  }

  const Module& module_;
  const Machine& machine_;
  const DissolveOptions& options_;
  Program program_;
  Block block_;
  std::vector<Item> held_;
};

}  // namespace

Program dissolve(const Module& module, const Machine& machine, const DissolveOptions& options) {
  return Cutter(module, machine, options).run();
}

Item item_of(const Packet& packet) { return {Item::Kind::kPacket, {}, packet, packet.line}; }

Item label_of(const std::string& name) { return {Item::Kind::kLabel, name, {}, 0}; }

Module assemble(const Program& program, std::vector<std::vector<Item>> blocks) {
  Module module;
  module.file = program.file;
  size_t block = 0;
  for (const Segment& segment : program.segments) {
    if (!segment.is_block) {
      module.items.push_back(segment.text);
      continue;
    }
    BURIN_CHECK(block < blocks.size());
    for (Item& item : blocks[block]) module.items.push_back(std::move(item));
    ++block;
  }
  BURIN_CHECK(block == blocks.size());
  return module;
}

}  // namespace burin::vliw

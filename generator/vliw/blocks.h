// A module cut into blocks: straight runs of units that the packer may reorder.
//
// A unit is what shares a packet for certain: one instruction, a new-value jump with its producer,
// or a packet kept whole because it is not a sequence (it swaps registers) or holds what the table
// does not know. A block ends at a label, at a directive, behind a change of flow and at the end of
// a loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vliw/assembly.h"

namespace burin::vliw {

struct Unit {
  std::vector<Instruction> instructions;
  bool closed = false;           // no other unit may join its packet
  bool memory_in_order = false;  // :mem_noshuf of a kept packet
  int readers = 0;               // of a vector load whose value nobody else reads (temporary.h)
};

struct Block {
  std::vector<Unit> units;
  bool end_loop0 = false, end_loop1 = false;
  std::vector<Packet> original;  // as read
  int line = 0;
};

struct Segment {
  bool is_block = false;
  Item text;    // a label or directive
  Block block;  // or a block
};

struct Program {
  std::string file;
  std::vector<Segment> segments;
  std::vector<std::string> warnings;  // "in.s:12:3: warning: ..."
};

struct DissolveOptions {
  bool strict = false;    // refuse what the table does not know (unknown-instruction)
  size_t longest = 4096;  // units in a block; longer runs are cut
};

Program dissolve(const Module& module, const Machine& machine, const DissolveOptions& options);

// The units of one packet, in an order in which running them one by one gives the packet's result.
std::vector<Unit> dissolve_packet(const Packet& packet, const Machine& machine);

// "if (p0.new) r0 = r1" -> "if (p0) r0 = r1" and back; null form where the machine has no such
// form.
Instruction without_new(const Instruction& instruction, const Machine& machine);
Instruction with_new_predicate(const Instruction& instruction, const Machine& machine);

// The block with its compare and jump in one word; nothing where that is not possible.
std::optional<Block> fuse_compare_and_jump(const Block& block, const Machine& machine);

// The block with its last jump on the new value of what is compared; only right where `predicate`,
// which nobody writes any more, is not read behind the block.
struct NewValueJump {
  Block block;
  int predicate = -1;
};
std::optional<NewValueJump> form_new_value_jump(const Block& block, const Machine& machine);

// Puts a module back together: the items that stand for each block, in order.
Module assemble(const Program& program, std::vector<std::vector<Item>> blocks);

// Packets and labels as items.
Item item_of(const Packet& packet);
Item label_of(const std::string& name);

}  // namespace burin::vliw

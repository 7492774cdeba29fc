// The machine, read from a file: packets, slots, HVX pipes, operand timing, soft dependences and
// the table of instruction forms. Nothing about a chip is in the code.
//
// A form is the text of an instruction without blanks, with a placeholder for each operand:
// R RR V VV P Q M C for registers, # for an immediate, @ for a target.  "r0 = add(r1,#4)" is
// "R=add(R,#)". Each operand has a role:
//   d written, s read, x read and written, i immediate or target, k fixed immediate,
//   f predicate that a compound writes, n the same predicate where the compound reads it
// and the index of its timing in the form's class (x: of the write and of the read).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vliw/registers.h"

namespace burin::vliw {

// What a form is, from the table's "is" column.
enum Trait : uint32_t {
  kLoad = 1u << 0,
  kStore = 1u << 1,
  kCall = 1u << 2,
  kJump = 1u << 3,
  kSolo = 1u << 4,           // alone in its packet
  kSoloAx = 1u << 5,         // beside alu32 and xtype only
  kSlot1Alu = 1u << 6,       // slot 1 holds alu32 or nothing
  kIfTrue = 1u << 7,         // predicated
  kIfFalse = 1u << 8,        // predicated on the predicate's complement
  kPredicateLate = 1u << 9,  // its predicate comes too late for .new
  kChangesFlow = 1u << 10,
  kFlowFirst = 1u << 11,      // may be the first of two changes of flow
  kFlowSecond = 1u << 12,     // may be the second
  kNoSlot1Store = 1u << 13,   // no store in slot 1 beside it
  kTemporaryLoad = 1u << 14,  // .tmp: its vector register is only seen by its packet
  kCurrentLoad = 1u << 15,    // .cur: seen by its packet and written
  kAlu32 = 1u << 16,
  kXtype = 1u << 17,
  kControl = 1u << 18,  // CR
  kFloat = 1u << 19,
  kLoop0 = 1u << 20,
  kLoop1 = 1u << 21,
  kSystem = 1u << 22,  // the system, or another thread, may read any register
};

struct Timing {
  int8_t cycle = 0;  // pipeline cycle in which the operand is read or its value is ready
  char net = 0;      // forwarding network, 0: none
};

// What one group of forms occupies and when it reads and writes.
struct TimingClass {
  std::vector<uint8_t> slots;  // masks of slots; one slot of each mask is taken
  std::vector<int> pipes;      // indices into Machine::pipes; all are taken
  std::vector<Timing> operands;
  bool operator==(const TimingClass& o) const { return slots == o.slots && pipes == o.pipes; }
};

struct OperandRole {
  char role = 'i';
  int write = -1, read = -1;  // indices into TimingClass::operands
  bool low = false;           // only r0-r7 and r16-r23 (v, pairs accordingly)
  int literal = 0;            // of a fixed immediate, or the predicate of f and n
};

// An immediate that fits needs no constant extender, that is no extra word.
struct ExtendRange {
  int operand = 0;
  bool is_signed = false;
  int bits = 0;
  int align = 0;  // power of two
  bool must = false;
};

struct Form {
  std::string key;
  std::vector<OperandRole> roles;
  int timing = 0;               // index into Machine::classes
  uint32_t traits = 0;          // Trait bits
  int bytes = 0;                // of a memory access; 0: none or unknown
  bool aligned_vector = false;  // the low address bits are ignored
  bool vector_access = false;   // offsets count vectors
  int base = -1, offset = -1;   // operands of the address; -1: unknown
  bool post_increment = false;
  std::vector<ExtendRange> extend;
  RegisterSet uses, defs;  // beside the operands
  int produces = -1;       // operand whose value may be read as .new
  int consumes = -1;       // operand that is read as .new
  int tied = -1;           // operand that must name the register that operand 0 writes

  bool is(uint32_t trait) const { return (traits & trait) != 0; }
};

// Penalties in cycles for sharing a packet across each kind of soft dependence.
struct SoftPenalties {
  double write_after_read = 0, new_value = 0, new_predicate = 0, current_load = 0,
         load_then_store = 0;
  double store_then_load = -1;  // in the order of the text (:mem_noshuf); negative: there is none
};

// A dependence that this machine resolves inside a packet at a cost (the machine of the GCD2
// paper): a register written by a form of class `from` and read by one of class `to`.
struct SoftRule {
  int from = 0, to = 0;  // indices into Machine::classes
  double penalty = 0;
};

struct Machine {
  std::string name;
  int instructions = 4, words = 4, slots = 4;  // of a packet
  int vector_bytes = 128;
  std::vector<std::string> resources;  // names of the HVX units
  std::vector<std::string> pipe_names;
  std::vector<std::vector<uint16_t>> pipes;  // per pipe: alternatives, masks of resources
  std::vector<TimingClass> classes;
  std::vector<std::string> class_names;
  std::vector<Form> forms;          // sorted by key
  std::array<int, 128> net_gain{};  // cycles that a network saves
  int cycles_per_packet = 2;
  bool aligned_accesses = false;  // a scalar access at no multiple of its size faults
  SoftPenalties soft;
  std::vector<SoftRule> soft_rules;
  double sda_w = 0.5, sda_p = 1;
  std::vector<double> sda_sweep;

  // The form with this key, or null.
  const Form* find(std::string_view key) const;

 private:
  friend Machine load_machine(const std::string& path);
  std::unordered_map<std::string, int> by_key_;  // looked up only, never walked
};

// Reads a machine file and the instruction table that it names (a path relative to the machine
// file). A path where no file is may be that of one that comes with burin, in the project or in
// configs/; of descriptions, the name. Refused with a JSON pointer: what is missing, of the wrong
// type, out of range or unknown.
Machine load_machine(const std::string& path);

// A hardware description may name its machine file as "packer": the path of that file relative to
// the description. A machine file itself is returned as it is.
std::string machine_path_of(const std::string& config_path);

}  // namespace burin::vliw

// Assembly as values: a module is the file's lines, in order, with packets understood.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vliw/machine.h"
#include "vliw/registers.h"

namespace burin::vliw {

// One register, immediate or target of an instruction.
struct Operand {
  char kind = 'i';         // placeholder letter of the form; 'i' immediate, '@' target
  int width = 1;           // registers of a pair or quad
  int first = -1;          // first register, -1 where there is none
  RegisterSet set;         // registers named
  std::string text;        // as written, without # and ##
  bool extended = false;   // written with ##
  bool has_value = false;  // the immediate is a number
  int64_t value = 0;
  bool operator==(const Operand&) const = default;
};

// text = literals[0] operands[0] literals[1] ... literals[n]
struct Instruction {
  const Form* form = nullptr;  // null: not in the table
  std::vector<Operand> operands;
  std::vector<std::string> literals;
  std::string comment;  // "// ..." behind it, or empty
  int line = 0, column = 0;

  std::string text() const;
  bool unknown() const { return form == nullptr; }
};

// Instructions that start together. Text order is kept, because it is the order of memory.
struct Packet {
  std::vector<Instruction> instructions;
  bool end_loop0 = false, end_loop1 = false;
  bool memory_in_order = false;       // :mem_noshuf
  std::vector<std::string> comments;  // lines of their own inside it
  std::string tail_comment;           // behind the closing brace
  int line = 0, column = 0;
};

struct Item {
  enum class Kind { kLabel, kDirective, kPacket };  // comments and blank lines are kDirective
  Kind kind = Kind::kDirective;
  std::string text;  // of a label (without the colon) or the whole line
  Packet packet;
  int line = 0;
};

struct Module {
  std::string file;  // for messages
  std::vector<Item> items;
};

// The form's key of an instruction's literals and operands: "R=add(R,#)".
std::string key_of(const Instruction& instruction);

// Splits one instruction ("r0 = add(r1,#4)") into literals and operands and looks its form up. What
// the table does not know gets no form. Refused (bad-assembly): a register that does not exist,
// unbalanced parentheses, a missing operand. Line and column are those of the text's first
// character.
Instruction parse_instruction(std::string_view text, const Machine& machine, int line, int column);

// Whether an operand that must name the register that is written does.
bool keeps_tie(const Instruction& instruction);

// The instruction with ".new", ".cur" or nothing behind operand k; its form is null if there is no
// such.
Instruction with_suffix(const Instruction& instruction, int k, std::string_view suffix,
                        const Machine& machine);

// The suffix behind operand k: "", "new", "cur" or "tmp".
std::string_view suffix_of(const Instruction& instruction, int k);

// Reads assembly as clang writes it, or as people do. Refused (bad-assembly), with line and column.
Module read_assembly(std::string_view text, const std::string& file, const Machine& machine);

// Prints a module the way clang does: one instruction a line, braces around every packet.
std::string print_assembly(const Module& module);

// One packet: "{ r0 = r1; memw(r2+#0) = r0.new }:endloop0"; for messages and reports.
std::string print_packet(const Packet& packet);

// Words that the instruction takes: 2 with a constant extender, else 1.
int words_of(const Instruction& instruction);

}  // namespace burin::vliw

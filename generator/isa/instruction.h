// Instruction: one row of an instruction set, as data.
//
// What it computes is a kernel over its operands, so the interpreter runs it: value k of `values`
// is operand k, and sizes that a call says are symbols. Throughput, latency and ports stand in a
// description of hardware under the row's name; how a compiler is told stands here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.h"

namespace burin::isa {

enum class Access : uint8_t { read, write, update };
std::string_view to_string(Access access);

// Where an operand is.
enum class Place : uint8_t {
  memory,     // an address, elements one after the other in the operand's layout
  registers,  // accumulators and vectors that were loaded
  broadcast,  // one element, or a group of as many as the innermost dimension has, in all lanes
  element,    // one element, by its name
  image,      // a texel: {name} is the image, {name.at} the texel's column and row
};
std::string_view to_string(Place place);

struct Operand {
  std::string name;  // in spellings: {name}
  Access access = Access::read;
  Place place = Place::memory;
  Layout layout = {};    // that a buffer of its shape has to have
  bool runs_on = false;  // of rank 1: it may be longer than what is left of a row of its buffer
};

// How it is written in code. `compiler`: "g++", "clang++", "opencl", or empty for any of C++. Names
// of operands and symbols stand in braces.
struct Spelling {
  std::string compiler;
  std::string text;
  std::string header;  // of runtime_min
};

struct Instruction {
  std::string name;                         // "vpdpbusd_512": in the text of programs
  std::string instruction = {};             // its name in descriptions; empty: every machine has it
  std::vector<std::string> elsewhere = {};  // ... of other machines
  std::vector<Value> values;                // of the operands, in order
  std::vector<Operand> operands;
  std::vector<Symbol> sizes;  // that a call says, in order
  Kernel meaning;
  std::string file = {};  // of registers: "zmm"; empty: none of its own
  int takes = 0;          // registers of an accumulator
  int operations = 1;     // that start for it, where it is several instructions
  std::vector<Spelling> spellings = {};
};

using Rows = std::vector<const Instruction*>;

// Whether a description that has `name` has the row.
bool is_named(const Instruction& row, std::string_view name);

// Checks a row by itself: operands and values agree, the meaning writes what operands say,
// spellings name every operand. Empty: it is well formed.
std::string check_row(const Instruction& row);

// The spelling for a compiler; nullptr: it has none.
const Spelling* spelling_for(const Instruction& row, std::string_view compiler);

}  // namespace burin::isa

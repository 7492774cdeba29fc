// Symbolic run of packets. Values are numbers; equal numbers are equal values. A value is a
// register at the start, the result of an operation on values, a value plus a constant, a choice by
// a predicate, or a load that depends on the stores before it that may touch its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vliw/assembly.h"

namespace burin::vliw {

class Values {
 public:
  int start(int reg);
  int operation(const std::string& name, const std::vector<int>& operands, int output);
  int plus(int value, int64_t constant);
  int choice(int predicate, bool sense, int chosen, int otherwise);

  // What a value is when the predicate is known to be `sense`.
  int under(int value, int predicate, bool sense) const;

  // value = root + constant
  std::pair<int, int64_t> split(int value) const { return parts_[static_cast<size_t>(value)]; }

 private:
  int number(const std::string& key, int root, int64_t constant);
  struct Choice {
    int predicate = -1, when_true = 0, when_false = 0;
  };
  std::map<std::string, int> known_;
  std::vector<std::pair<int, int64_t>> parts_;
  std::map<int, Choice> choices_;
};

// A store that was done, or a load.
struct Touch {
  int value = 0;  // its number, which holds the stores it comes after
  bool known = false;
  int root = 0;
  int64_t low = 0, high = 0;
  bool line = false;  // whole vectors: the low address bits are ignored
  int64_t address = 0;
};

// Everything that can be seen at one point.
struct Machine;
struct State {
  std::array<int, kRegisterCount> registers{};
  std::vector<int> sticky;    // operations that set sticky bits, sorted
  std::vector<Touch> stores;  // in order
};

// Control may leave here: what is asked, and the state with which it leaves.
struct Event {
  std::string what;
  std::vector<int> operands;
  std::array<int, kRegisterCount> registers{};
  std::vector<int> sticky, stores;  // stores sorted
  int line = 0;
  bool operator==(const Event& o) const {
    return what == o.what && operands == o.operands && registers == o.registers &&
           sticky == o.sticky && stores == o.stores;
  }
};

class SymbolicRun {
 public:
  SymbolicRun(Values& values, const Machine& machine);

  // Runs a packet; the events it causes are appended. loop_ends: are :endloop suffixes events?
  void step(const Packet& packet, bool loop_ends, std::vector<Event>& events);
  Event snapshot(std::string what, std::vector<int> operands, int line) const;
  const State& state() const { return state_; }

 private:
  struct Part;
  void restart();
  Part prepare(const Instruction& instruction, const std::vector<Instruction>& all,
               const std::vector<Part>& done) const;

  Values& values_;
  const Machine& machine_;
  State state_;
  int calls_ = 0;
  bool left_ = false;  // control may have left: what follows starts from registers as they are
};

}  // namespace burin::vliw

// Symbolic run of packets: every register and every store gets a value (values.h); a load's value
// holds the stores before it that may touch its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vliw/assembly.h"
#include "vliw/checker/stores.h"
#include "vliw/checker/values.h"

namespace burin::vliw {

struct Machine;

// What operations are called, per form of the machine: forms that do the same have the same name.
class OperationNames {
 public:
  OperationNames(Values& values, const Machine& machine) : values_(values), machine_(machine) {}

  // Without .new, .cur, .tmp and hints of jumps; with `access`, a post-increment is a plain access.
  int of(const Form& form, bool access);

 private:
  Values& values_;
  const Machine& machine_;
  std::vector<int> plain_, access_;  // by number of the form; -1: not asked for yet
};

// Everything that can be seen at one point.
struct State {
  std::array<int, kRegisterCount> registers{};
  ValueSet sticky;  // operations that set sticky bits
  Stores stores;
};

// Control may leave here: what is asked, and the state with which it leaves.
struct Event {
  int what = 0;  // a name
  std::vector<int> operands;
  std::array<int, kRegisterCount> registers{};
  ValueSet sticky, stores;
  int line = 0;
  bool operator==(const Event& o) const {
    return what == o.what && operands == o.operands && registers == o.registers &&
           sticky == o.sticky && stores == o.stores;
  }
};

// The same event, but for registers that nobody reads behind it.
bool same_but(const Event& a, const Event& b, const RegisterSet& unread);

class SymbolicRun {
 public:
  SymbolicRun(Values& values, OperationNames& names, const Machine& machine);

  // Runs a packet; the events it causes are appended.
  void step(const Packet& packet, std::vector<Event>& events);
  Event snapshot(int what, std::vector<int> operands, int line) const;
  const State& state() const { return state_; }

  // For straight ways of which all is known: goes on from the state as it is where control may
  // leave, instead of from fresh symbols, and keeps what was loaded.
  void watch() { watched_ = true; }
  const std::vector<int>& loads() const { return loads_; }
  // Known addresses that were accessed whatever the predicates were, but for those of vectors.
  const std::vector<Touch>& touched() const { return touched_; }
  void assume(std::vector<Apart> apart) { state_.stores.assume(std::move(apart)); }

 private:
  struct Part;
  using Instructions = std::vector<const Instruction*>;
  void restart();
  void step_unknown(const Packet& packet, std::vector<Event>& events);
  int value_for(const Part& part, int r, bool fresh, const std::vector<Part>& done) const;
  Part prepare(const Instruction& instruction, const std::vector<Part>& done);
  void name_access(Part& part, const std::vector<Part>& done);
  void see_memory(const Packet& packet, Part& part, const std::vector<Part>& done);
  void compute(Part& part, const std::vector<Part>& done);
  void commit(const std::vector<Part>& parts);
  int as_two(const Form& form, int name, std::vector<int>& read);
  void leave(const Packet& packet, const std::vector<Part>& parts, std::vector<Event>& events);

  Values& values_;
  OperationNames& names_;
  const Machine& machine_;
  State state_;
  std::vector<int> loads_;
  std::vector<Touch> touched_;
  int calls_ = 0;
  bool watched_ = false;
  bool left_ = false;  // control may have left: what follows starts from registers as they are
};

// Whether every load of `some` is one of `all`; values of addresses, several times or not.
bool loads_are_among(std::vector<int> some, std::vector<int> all);

}  // namespace burin::vliw

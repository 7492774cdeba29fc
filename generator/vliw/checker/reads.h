// Which registers may be read before they are written, from a place of a module on; asked by the
// judge of pipelined loops, by following control forwards.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vliw/assembly.h"

namespace burin::vliw {

class Reads {
 public:
  // by_convention: returns read what the calling convention names, not every register.
  Reads(const Module& module, bool by_convention);

  // From packet (or any item) `item` on. O(items * registers) at worst, usually the few packets
  // until every register is decided.
  RegisterSet from(size_t item) const;

  // Where the jumps of packet `item` lead, not below it; nothing known: everything.
  RegisterSet taken(size_t item) const;

  // When control leaves packet `item`, wherever it goes.
  RegisterSet behind(size_t item) const;

 private:
  struct Step {
    RegisterSet reads, writes;  // writes: for certain
    RegisterSet leaves;         // what is read where a call, a return or an unknown jump of it goes
    std::vector<size_t> jumps;  // items of labels
    bool falls_through = true;
    bool all = false;  // anything may be read
  };
  Step step_of(const Packet& packet) const;
  std::optional<size_t> start_after(const Packet& packet, int level) const;
  void follow_loops(int level, const std::vector<size_t>& entries);

  const Module& module_;
  bool by_convention_;
  std::map<std::string, size_t> labels_;
  std::vector<Step> steps_;
};

}  // namespace burin::vliw

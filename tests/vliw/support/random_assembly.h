// Random assembly for differential tests: functions of straight code, hardware loops (nested ones
// too), skips, jump tables, stack frames, circular addressing, packets that keep the order of
// memory and writes of usr, whose instructions are drawn from the instruction table, one per
// packet. Loads and stores go through pointers that overlap.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vliw/machine.h"

namespace burin::vliw::testing {

// splitmix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

// Forms that random code may use: no system, no control flow, known addresses.
std::vector<const Form*> usable_forms(const Machine& machine);

// One instruction of the form with random operands. Registers: data in r0-r15, pointers r16-r19,
// small indices r24-r25 (never written), m0-m1 (not written).
std::string random_instruction(const Form& form, Random& random);

// Function `name`, about `size` instructions, ending in a return; some call `helper`. in_order:
// with packets that keep the order of memory.
std::string random_function(const std::string& name, const std::vector<const Form*>& forms,
                            int size, Random& random, bool in_order = true);

// What programs are drawn from. The emulator (7.2) keeps the mark "slot 1 did nothing" of a
// conditional instruction whose condition did not hold for later packets, and a load behind a store
// in one packet (:mem_noshuf) then misses the store. So half of the programs (odd seeds) have such
// packets and no conditional instructions, half the opposite.
struct Population {
  Machine machine;
  std::vector<const Form*> forms;
  bool in_order = false;
};
Population population(const Machine& machine, const std::vector<const Form*>& forms, uint64_t seed);

}  // namespace burin::vliw::testing

// Random assembly for differential tests: functions of straight code, loops and skips whose
// instructions are drawn from the instruction table, one per packet. Loads and stores go through
// pointers that overlap.
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
// small indices r24-r25 (never written), m0-m1 (never written).
std::string random_instruction(const Form& form, Random& random);

// Function `name`, about `size` instructions, ending in a return; some call `helper`.
std::string random_function(const std::string& name, const std::vector<const Form*>& forms,
                            int size, Random& random);

}  // namespace burin::vliw::testing

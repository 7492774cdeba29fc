// The registers of Hexagon that instructions of user programs read and write, as small numbers and
// as sets. Pairs and quads are runs of single registers, so that overlap is set intersection.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace burin::vliw {

// Numbers of the first register of each file.
inline constexpr int kScalar = 0;            // r0 .. r31
inline constexpr int kVector = 32;           // v0 .. v31
inline constexpr int kPredicate = 64;        // p0 .. p3
inline constexpr int kVectorPredicate = 68;  // q0 .. q3
inline constexpr int kModifier = 72;         // m0, m1
inline constexpr int kCircular = 74;         // cs0, cs1
inline constexpr int kLoopCount0 = 76;
inline constexpr int kLoopStart0 = 77;
inline constexpr int kLoopCount1 = 78;
inline constexpr int kLoopStart1 = 79;
inline constexpr int kStatus = 80;      // usr without what follows
inline constexpr int kSticky = 81;      // usr's sticky bits: every writer only sets bits
inline constexpr int kLoopConfig = 82;  // usr's loop configuration, written by loop0 and loop1
inline constexpr int kGlobalPointer = 83;
inline constexpr int kVectorTemporary = 84;  // vtmp of gathers
inline constexpr int kOther = 85;            // every other control register, as one
inline constexpr int kRegisterCount = 86;

// A set of register numbers.
struct RegisterSet {
  uint64_t low = 0, high = 0;

  void add(int number) { (number < 64 ? low : high) |= uint64_t{1} << (number & 63); }
  void remove(int number) { (number < 64 ? low : high) &= ~(uint64_t{1} << (number & 63)); }
  bool has(int number) const { return ((number < 64 ? low : high) >> (number & 63)) & 1; }
  bool empty() const { return (low | high) == 0; }
  bool meets(const RegisterSet& o) const { return ((low & o.low) | (high & o.high)) != 0; }
  RegisterSet operator|(const RegisterSet& o) const { return {low | o.low, high | o.high}; }
  RegisterSet operator&(const RegisterSet& o) const { return {low & o.low, high & o.high}; }
  RegisterSet operator-(const RegisterSet& o) const { return {low & ~o.low, high & ~o.high}; }
  RegisterSet& operator|=(const RegisterSet& o) { return *this = *this | o; }
  bool operator==(const RegisterSet&) const = default;

  // f(number) for each register, in order.
  template <typename F>
  void each(F f) const {
    for (uint64_t rest = low; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
    for (uint64_t rest = high; rest != 0; rest &= rest - 1) f(64 + std::countr_zero(rest));
  }
};

// The registers named by one operand: `count` from `first` on (p3:0 and usr are sets of their own).
struct RegisterName {
  enum class Status {
    kNone,
    kRegister,
    kInvalid
  };  // not a register; one; looks like one and is not
  Status status = Status::kNone;
  char file = 0;  // placeholder letter of the form: R V P Q M C G S
  int width = 1;  // 1, 2 (a pair) or 4 (a quad of vectors)
  RegisterSet set;
  int first = -1;  // lowest register number, -1 for names that are several sets
};

// Reads "r5", "r5:4", "v3:0", "p3:0", "lc0", "sp", "c9" ... whole text, case as written by the
// assembler.
RegisterName register_name(std::string_view text);

// "r5", "v17", "lc0" ...
std::string name_of_register(int number);

// Registers named in the instruction table's "uses" and "defs" columns, separated by blanks.
RegisterSet registers_of_list(std::string_view list);

}  // namespace burin::vliw

// Bytes of a line of two bytes in sums of 16 bits: its factors are four digits of seven bits, so
// that products of two bytes with digits are summed in 16 bits.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// Words of `line`: four pairs of digits, the lowest first (that of `a` in the lowest byte, that of
// `b` in the next one), where the second and the last level start, the last shift, the least and
// the greatest byte. With u = a, v = b as unsigned bytes (a signed one plus 128), in 16 bits:
//   level0 = d0 u + e0 v, unsigned
//   level1 = start1 + d1 u + e1 v + 2 (level0 >> 8)
//   level2 = d2 u + e2 v + (level1 >> 7)
//   level3 = start3 + d3 u + e3 v + (level2 >> 7)
//   to[j] = level3 >> shift within the type, then within both limits but for `whole` rows
inline constexpr int kDigitLevels = 4, kDigitStart1 = 4, kDigitStart3 = 5, kDigitShift = 6,
                     kDigitLeast = 7, kDigitGreatest = 8, kDigitParts = 9;
std::vector<Instruction> digit_rows();
std::string digit_name(Type a, Type b, Type to, bool whole);
inline constexpr const char* kDigitInstruction = "vmpabus_1024";

// The same as an expression; `part`: word number k.
Expr byte_of_digits(const Expr& a, const Expr& b, const std::function<Expr(int)>& part, Type to,
                    bool whole);

}  // namespace burin::isa

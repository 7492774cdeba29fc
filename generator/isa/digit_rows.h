// Bytes of a line of two bytes in sums of 16 bits: its factors are digits, so that products of two
// bytes with digits are summed in 16 bits.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// Words of `line`: a pair of digits for each level, the lowest first (that of `a` in the lowest
// byte, that of `b` in the next one), then what is told by DigitPart. With u = a, v = b as unsigned
// bytes (a signed one plus 128), in 16 bits, of four levels:
//   level0 = d0 u + e0 v, unsigned
//   level1 = start + d1 u + e1 v + 2 (level0 >> 8)
//   level2 = d2 u + e2 v + (level1 >> 7)
//   level3 = last + d3 u + e3 v + (level2 >> 7)
// and of three, with the lowest digits of eight bits:
//   level0 = start + d0 u + e0 v
//   level1 = d1 u + e1 v + (level0 >> 8)
//   level2 = last + d2 u + e2 v + (level1 >> 7)
// to[j] = the last level >> shift within the type, then within both limits but for `whole` rows.
enum DigitPart { kDigitStart, kDigitLast, kDigitShift, kDigitLeast, kDigitGreatest };
inline constexpr int kMostDigitLevels = 4, kLeastDigitLevels = 3;
inline constexpr int digit_part(int levels, DigitPart part) { return levels + part; }
inline constexpr int digit_parts(int levels) { return levels + kDigitGreatest + 1; }
std::vector<Instruction> digit_rows();
std::string digit_name(int levels, Type a, Type b, Type to, bool whole);
inline constexpr const char* kDigitInstruction = "vmpabus_1024";

// The same as an expression; `part`: word number k.
Expr byte_of_digits(int levels, const Expr& a, const Expr& b, const std::function<Expr(int)>& part,
                    Type to, bool whole);

}  // namespace burin::isa

// Functions of bytes in vectors: by a table, or by a line in fixed point that sums what each of
// several bytes adds (select/bytes/line_form.h).
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// Positions are four vectors c0, c1, c2, c3 of 32 words: lane j of c<q> is of byte 4 j + q. What is
// read of `line` are words.
//   look_up        to[j] = table[from[j]], of a signed byte its bits; as many as a call says
//   start_line     c = line[0]
//   add_to_line    c += line[0] * from[4 j + q]
//   start_along    c<q> = along[q], and
//   add_along      c<q>[j] += along[q][j] * from[4 j + q], where numbers differ from lane to lane
//   limit_line     c = min(max(c, line[0]), line[1])
//   near_line      seen: byte by byte all bits where c is within line[0] of a multiple of
//                  2^(32 - line[1])
//   end_line       to[4 j + q] = c >> (16 + line[0]) within the type, then within line[1], line[2]
// Shifts take the lowest five bits of theirs, the last one three, limits of bytes the lowest eight.
std::vector<Instruction> byte_rows();

inline constexpr int kByteVectors = 4, kByteLanes = 32, kBytesAtOnce = kByteVectors * kByteLanes;
inline constexpr int kTableBytes = 256;
inline constexpr const char *kStartLine = "start_line", *kLimitLine = "limit_line",
                            *kNearLine = "near_line", *kStartAlong = "start_along";
std::string look_up_name(Type from, Type to);
std::string add_to_line_name(Type from);
std::string add_along_name(Type from);
std::string end_line_name(Type to);
// The instructions that descriptions of HVX name: the table's, and the slowest of the others.
inline constexpr const char *kTableInstruction = "vlutvvb_1024",
                            *kLineInstruction = "vmpyiewh_1024";

// The same as expressions, of i32.
Expr limit_of(const Expr& bits, Type type);  // the lowest byte, as a number of the type
Expr is_near_line(const Expr& position, const Expr& reach, const Expr& shift);  // boolean
Expr byte_of_line(const Expr& position, const Expr& shift, const Expr& least, const Expr& greatest,
                  Type type);

}  // namespace burin::isa

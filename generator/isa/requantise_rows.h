// Sums become bytes by a line: a product of 32 bits, a shift, limits. What a network says of it in
// floats follows the line but near to where one byte ends and the next begins; there a row says
// that it does not know (select/bytes/line.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// What a row reads of a line, i32 each.
enum LinePart { kLineShift, kLineFactor, kLineOffset, kLineNear, kLineLeast, kLineGreatest };
inline constexpr int kLineParts = 6;
inline constexpr int kLineFraction = 16;  // bits of a position on a line below its byte

// For u8 and i8, of four vectors of 32 sums c0, c1, c2, c3, in each order of lanes; bytes and marks
// are in the order of columns:
//   position = ((c << shift) * factor >> 31) + offset
//   to       = position >> 16, within the type, then within least and greatest
//   near     where position mod 2^16 is below `near`, which the offset takes into account
//   seen     all bits of half a word where one of two columns is near: of half number h columns h
//            and 64 + h, by fours 2 h and 2 h + 1
// The rows `whole` have no limits but the type's; those of two vectors have no second column, those
// of three have it of the first half.
// The rows `along` have a factor and an offset for each lane: along[vector][0, 1][lane].
// less_i32x32: to = c - one[0] - each, what sums of products lack.
// The rows `lowest` keep the lowest of both halves of the positions of each lane instead of marks,
// as numbers without a sign. all_bits_i32x32 starts it, any_near_i32x32 compares the lower halves
// with `near` once for many sums.
// any_i32x32: to[0] = whether there is a bit in c. load_i32x32: c[j] = from[j].
// marks_u8x128: to[4 j + q] = byte q of c[j], the lowest first.
std::vector<Instruction> requantise_rows();
// The same as expressions, of an i32 sum and the parts of its line.
using LineParts = std::function<Expr(LinePart)>;
Expr line_position(const Expr& sum, const LineParts& part);
Expr line_byte(const Expr& position, const LineParts& part, Type type);
Expr whole_byte(const Expr& position, Type type);           // i32, within the type only
Expr line_is_near(const Expr& position, const Expr& near);  // boolean
// Which column lane j of vector v is: v * 32 + j, or as isa/sliding_fours.h has them.
enum class LaneOrder : uint8_t { in_a_row, by_fours, by_pairs };
int column_of(LaneOrder order, int vector, int lane);
enum class Doubts : uint8_t { marks, lowest };
// Of four vectors, or in a row of two or three.
std::string requantise_name(Type type, LaneOrder order = LaneOrder::in_a_row, int vectors = 4,
                            bool whole = false, Doubts doubts = Doubts::marks);
std::string requantise_along_name(Type type, int vectors = 4, bool whole = false,
                                  Doubts doubts = Doubts::marks);
inline constexpr const char* kLessRow = "less_i32x32";
inline constexpr int kAlongParts = 2;  // of a lane: factor, offset
inline constexpr const char* kLoadRow = "load_i32x32";
inline constexpr const char* kAnyRow = "any_i32x32";
inline constexpr const char* kMarksRow = "marks_u8x128";
inline constexpr const char* kHighestRow = "all_bits_i32x32";
inline constexpr const char* kAnyNearRow = "any_near_i32x32";
inline constexpr int kRequantisedVectors = 4, kRequantisedLanes = 32;

}  // namespace burin::isa

// move: loops that only carry bytes become calls of rows that carry so many of them
// (isa/move_rows.h): side by side, or in groups of one from each of several rows.
//
// Legal where the loop goes point by point over a number of points that is settled outside of all
// loops, and what is read is another buffer than what is written; it changes no value.
#pragma once

#include <optional>

#include "isa/instruction.h"
#include "loops/program.h"

namespace burin::loops {

// A byte that is read: as it is, or with the other sign. nullopt: it is no such value.
struct MovedByte {
  Expr load;
  bool turned = false;
};
std::optional<MovedByte> moved_byte(const Expr& value, Type to);

// Every loop of the program that one of the rows fits, and that has kLeastMoved points or more.
Program move_by_rows(const Program& program, const isa::Rows& rows);

}  // namespace burin::loops

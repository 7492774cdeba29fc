// The points that are really apart in a parallel loop, where its variable is not what counts them.
#pragma once

#include <optional>

#include "loops/program.h"

namespace burin::loops {

// A loop over the points of several axes as one, which its first statements find again (digits of
// its variable), as loops over these, the outermost first; the loop itself where it is none.
For over_digits(const For& loop, const Program& program);

// Points that have turns of their own: what each of them takes, n points apart where there are n,
// as a loop over all that are taken.
//
//   for item in 0 .. 64 { for p in item .. n step 64 { body } }                    for p { body }
//   for first in 0 .. n { for turn { let p = first + turn*n; body } }              for p { body }
//
// nullopt: the buffer is touched elsewhere, or in several such loops.
std::optional<For> over_turns(const For& loop, const Program& program, BufferId buffer);

// A loop whose variable is divided by one number c in what touches the buffer, as loops over
// quotient and remainder, whose variables are added to the program: var = c*quotient + remainder.
// nullopt: it is divided by none, or by several, or not evenly.
std::optional<For> over_parts(const For& loop, Program& program, BufferId buffer);

// All that touches the buffer stands behind a number that is named inside of the loop: it is apart
// where other numbers touch other elements, and other points have other numbers.
struct ThroughLet {
  For numbers;     // a loop over the numbers, and over what else moves inside, around what touches
  For of_points;   // the loop, where each point touches element number `number` of an array
  BufferId marks;  // that one, which is added to the program
};
std::optional<ThroughLet> through_let(const For& loop, Program& program, BufferId buffer);

}  // namespace burin::loops

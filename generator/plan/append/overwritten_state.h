// State that a run changes in one place and keeps elsewhere: a cache with room for all of it, which
// the input and the output share (past_present_share_buffer, TensorScatter).
//
//   N[i] := {begin <= i < end: new[i - begin]; else P[i]}
//
// becomes a write of N[begin + j] := new[j], for j < end - begin. What makes that right where N and
// P are one buffer: all else that reads P reads it outside of [begin, end), where both are equal,
// so it can read N.
#pragma once

#include <optional>

#include "plan/append/append.h"

namespace burin {

// Where along a dimension a state is written.
struct Overwritten {
  int dimension = 0;
  Index begin, end;
};

// Of a kernel whose only write is N, as a whole: the same for what is new alone, and where that is.
struct Overwrite {
  Kernel kernel;
  Overwritten where;
};
std::optional<Overwrite> overwrite_of(const Kernel& kernel, ValueId state,
                                      const std::vector<Value>& values);

// Loads of `state` that `where` says are none of what is written become loads of `to`. Those that
// are left are none of these.
void read_beside(Kernel& kernel, ValueId state, ValueId to, const Overwritten& where);

}  // namespace burin

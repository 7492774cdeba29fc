// Refusals that are collected, so that independent faults of one input are reported together, in
// the order in which they were found.
//
// What cannot be judged because of a fault before it throws a Refused without diagnostics
// (refuse_as_consequence): that ends the work on its part of the input and adds no line.
#pragma once

#include <utility>
#include <vector>

#include "support/diagnostics.h"

namespace burin {

class Refusals {
 public:
  // Runs body; whether it was refused.
  template <class Body>
  bool refused(Body&& body) {
    try {
      std::forward<Body>(body)();
      return false;
    } catch (const Refused& one) {
      add(one);
      return true;
    }
  }

  // Throws what was collected, if anything was.
  void check() const {
    if (any_) throw Refused(all_);
  }

 private:
  // Leaves at once, with all so far, where going on makes no sense: a limit that is exceeded again,
  // or too many faults.
  void add(const Refused& one);

  std::vector<Diagnostic> all_;
  bool any_ = false;
};

[[noreturn]] void refuse_as_consequence();

}  // namespace burin

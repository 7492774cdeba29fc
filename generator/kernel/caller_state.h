// State that the caller keeps from run to run: an input, and the output that is the input with
// something behind it (plan/append/keep_states.h).
#pragma once

#include <string>

namespace burin {

struct CallerState {
  std::string input, output;  // names of the model
  bool operator==(const CallerState&) const = default;
};

}  // namespace burin

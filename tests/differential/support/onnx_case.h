// One folder of the ONNX project's test data, run through import, lowering and the interpreter.
#pragma once

#include <string>

#include "report/compare.h"

namespace burin {

enum class Outcome : uint8_t {
  passed,
  unsupported,  // refused by a rule "unsupported-...": an operator, type or feature that burin
                // lacks
  refused,      // refused for another reason
  failed,       // ran and differs, or is a bug
};

struct CaseResult {
  Outcome outcome = Outcome::passed;
  std::string rule;     // of a refusal
  std::string message;  // why it did not pass
  // Inputs that were held constant because their contents decide a rank or an axis.
  std::string held;
};

// `symbolic`: every extent above 1 of an input is taken to be a symbol, and what the file says
// about the shapes of other tensors is forgotten.
CaseResult run_onnx_case(const std::string& folder, bool symbolic = false);

}  // namespace burin

// Values of small inputs as flags give them: "sr=16000", "scales=1,2.5".
#pragma once

#include <string>

#include "graph/graph.h"

namespace burin {

struct InputValue {
  std::string name, numbers;
};

// Refused (input): no name, no numbers.
InputValue parse_input_value(const std::string& text);

// The contents of an input of this type and shape: as many numbers as it has elements, or one for
// all; where the shape is open, [count]. Refused (input): another number of them, one that the type
// does not hold, a type without numbers, an open shape of more dimensions.
Tensor tensor_of(const GraphValue& input, const InputValue& value);

}  // namespace burin

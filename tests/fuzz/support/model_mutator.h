// Mutations of ONNX models that keep the encoding sound: operators, attributes, types, sizes,
// constants and wiring change, names stay consistent where a change would only be an undefined
// name. Operators and their formals come from burin's own table, so a new operator is mutated too.
#pragma once

#include <string>
#include <string_view>

namespace burin::fuzz {

// One to four mutations of the model, chosen by `seed`. What does not decode becomes a small model.
std::string mutate_model(std::string_view model, unsigned seed);

// The first model with nodes, constants and inputs of the second one added.
std::string cross_models(std::string_view first, std::string_view second, unsigned seed);

}  // namespace burin::fuzz

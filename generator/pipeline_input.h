// What a compilation begins with: the models of its options as one graph.
#pragma once

#include <string>
#include <vector>

#include "compile_options.h"

namespace burin {

// Imported, joined where there are several, adjusted, with inputs that are held. `others`: sizes
// that were given by names that no input has. Errors: Refused, naming file and node.
Graph input_graph(const CompileOptions& options, OtherDims& others);

// Inputs that flags give values ("sr=16000") become held ones. Refused (input): a name that no
// input has, or twice; numbers that the input cannot have.
void hold_values(CompileOptions& options, const std::vector<std::string>& flags);

}  // namespace burin

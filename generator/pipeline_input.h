// What a compilation begins with: the models of its options as one graph.
#pragma once

#include "compile_options.h"

namespace burin {

// Imported, joined where there are several, adjusted, with inputs that are held. `others`: sizes
// that were given by names that no input has. Errors: Refused, naming file and node.
Graph input_graph(const CompileOptions& options, OtherDims& others);

}  // namespace burin

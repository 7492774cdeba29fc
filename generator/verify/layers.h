// Where a tree begins to differ: the network once more, with every tensor that lies between its
// kernels as an output, each held to the interpreter.
//
// That is another tree. Kernels stay as they were fused, since what becomes an output is in memory
// anyway; a tensor in fp16 becomes one in floats.
#pragma once

#include <string>
#include <vector>

#include "verify/run_cases.h"

namespace burin {

// A tensor between kernels, in the order of the run, and what it comes from.
struct Layer {
  std::string tensor;
  std::vector<Origin> nodes;
};

// Tensors that kernels of a plan write, which the model has by a name, and which are no outputs.
std::vector<Layer> layers_of(const Compiled& compiled, const CompileOptions& options);

// The same model with these outputs behind its own.
CompileOptions with_layers(CompileOptions options, const std::vector<Layer>& layers);

// The interpreter's results for outputs of which the data say nothing. Refused (io) where it would
// need too long, or stops.
NamedCase with_all_results(const Compiled& compiled, NamedCase one);

// Moves the outputs from number `outputs` on to the layers of a verdict.
void split_layers(const std::vector<Layer>& layers, size_t outputs, DataSetVerdict& verdict);

}  // namespace burin

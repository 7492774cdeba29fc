// The sample vectors of a tree: what its self-test runs, and what must come out.
//
// Results come from the interpreter, run on the graph as it was lowered: before fusing, selecting
// and placing, so that nothing that made the tree takes part in what it is compared with. Inputs
// come from a fixed sequence of numbers: floats are multiples of 1/64 in [-1, 1), which every type
// represents; 32- and 64-bit integers, which may be positions, are 0 or 1, or as near to that as
// the range of a size that the run makes of them allows; smaller integers fill their range. Lengths
// are at least half of what they measure where the network runs so (into_lengths.h). Or all of it
// comes from data that the user has.
#pragma once

#include <functional>
#include <string>

#include "pipeline.h"
#include "support/numbers.h"

namespace burin {

struct SelfTestOptions {
  std::string data;                            // a data set or a folder of such; empty: made up
  int64_t operations = int64_t{32} << 20;      // that the interpreter may spend, in total
  int64_t most_bytes = int64_t{64} << 10;      // of a run that was made up
  int64_t most_data_bytes = int64_t{1} << 20;  // of all runs from data
  // Told in a sentence where the interpreter stops at all sizes that are tried.
  std::function<void(const std::string&)> warn = {};
};

// Vectors of compiled.plan. Where there are none, SelfTest::origin says why. Refused (io, type and
// what import_tensor refuses): data that do not fit the model, that lack an output, or are too
// large for source text.
SelfTest make_self_test(const Compiled& compiled, const CompileOptions& compiled_with,
                        const SelfTestOptions& options);

// The elements that an input of this type and shape is made up of at first.
HostTensor made_up_tensor(Type type, const std::vector<int64_t>& shape, Numbers& numbers);

// Inputs of the plan at these sizes of the caller, made up as those of the vectors. `lengths`: with
// lengths of which not every network takes all.
std::vector<HostTensor> made_up_inputs(const Compiled& compiled,
                                       const std::map<std::string, int64_t>& sizes, bool lengths);

}  // namespace burin

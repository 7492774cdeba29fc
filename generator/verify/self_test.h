// The sample vectors of a tree: what its self-test runs, and what must come out.
//
// Results come from the interpreter, run on the graph as it was lowered: before fusing, selecting
// and placing, so that nothing that made the tree takes part in what it is compared with. Inputs
// are made up (made_inputs.h), large ones by the test itself from the same numbers, and a large
// state is told by what a run changes in it; or all of it comes from data that the user has. Beside
// small sizes there are those at which versions of the code run that no other run reaches
// (reached_blocks.h).
#pragma once

#include <functional>
#include <string>

#include "pipeline.h"

namespace burin {

struct SelfTestOptions {
  std::string data;                               // a data set or a folder of such; empty: made up
  int64_t operations = int64_t{32} << 20;         // that the interpreter may spend, in total
  int64_t most_bytes = int64_t{64} << 10;         // of a run that was made up, as text
  int64_t least_drawn_bytes = int64_t{16} << 10;  // of an input that the test draws
  int64_t most_drawn_bytes = int64_t{16} << 20;   // of all of them
  int64_t most_data_bytes = int64_t{1} << 20;     // of all runs from data
  // Told in a sentence where the interpreter stops at all sizes that are tried.
  std::function<void(const std::string&)> warn = {};
};

// Vectors of compiled.plan. Where there are none, SelfTest::origin says why. Refused (io, type and
// what import_tensor refuses): data that do not fit the model, that lack an output, or are too
// large for source text.
SelfTest make_self_test(const Compiled& compiled, const CompileOptions& compiled_with,
                        const SelfTestOptions& options);

}  // namespace burin

// Does the emitted tree compute what is expected? Emits into a scratch folder, builds a test
// program, runs it on every data set, compares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "pipeline.h"
#include "report/compare.h"
#include "verify/accuracy.h"
#include "verify/build.h"

namespace burin {

class SharedObjects;

struct VerifyOptions {
  CompileOptions compile;
  Hardware hardware;
  std::string compiler;  // by name; empty: the first of the hardware description
  std::vector<std::string>
      data;  // test_data_set folders, or folders of such; empty: beside the model
  // Where there are no data, or none of outputs: inputs are made up, the interpreter says what is
  // expected (made_up.h).
  bool make_up = false;
  bool fast = false;  // one translation unit, -O1
  bool sanitize = false;
  bool hold_inputs = false;  // give the model inputs as constants where it needs their contents
  std::string keep;          // folder for the tree and the program; empty: removed afterwards
  std::vector<std::string> flags{};  // for the compiler, after all others
  int jobs = 1;
  bool layers = false;                // also every tensor between kernels (layers.h)
  bool accuracy = false;              // also how far results are from floats'
  std::optional<double> tolerance{};  // of floats, of their largest magnitude; empty: by type
  SharedObjects* shared = nullptr;    // of many programs (shared_objects.h)
  PackAssembly pack{};                // of sources that are compiled one by one (build.h)
};

struct OutputVerdict {
  std::string name;
  Tolerance tolerance;
  Difference difference;
  // Of a state: elements behind its rows, where the model has zeros and the buffer what it had.
  int64_t left = 0;
  std::string drawn{};      // of random numbers: what was compared (drawn.h); empty: with the data
  bool draws_agree = true;  // their distribution is the operator's
  std::optional<Accuracy> accuracy{};  // where it was asked for
  bool agrees() const { return difference.agrees() && draws_agree; }
};

// A tensor between kernels (layers.h).
struct LayerVerdict {
  std::vector<Origin> nodes;
  OutputVerdict output;
};

struct DataSetVerdict {
  std::string path;
  std::string problem;  // a status or a broken guard; then there may be no outputs
  int64_t arena_bytes = 0;
  int64_t device_bytes = 0;  // of its buffers and images, inputs and outputs with them
  std::vector<OutputVerdict> outputs;
  std::vector<LayerVerdict> layers{};  // where they were asked for, in the order of the run
  bool agrees() const;
  const LayerVerdict* first_that_differs() const;  // null: none
};

struct Verdict {
  std::string model, hardware, compiler;
  std::string held;  // inputs that were given as constants
  std::vector<DataSetVerdict> data_sets;
  bool agrees() const;
};

// Refuses what generate refuses, and data that do not fit the model. Throws ToolFailed when
// compiler or runner fail.
Verdict verify(const VerifyOptions& options);

// The data sets in `data`, which are folders of them or of such folders; without any, those beside
// the model. Refused (io) where there are none.
std::vector<std::string> data_folders(const std::vector<std::string>& data,
                                      const std::string& model);

// The compiler that the options name; refuses as "no-compiler".
const Compiler& find_compiler(const VerifyOptions& options);

}  // namespace burin

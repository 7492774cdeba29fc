// burin tune: candidates are made, a runner measures them, the best becomes a tuning file.
//
// The runner is a command that is given the folder of a tree and prints the microseconds of one run
// as a number, last on its output; what it does to find out is its own. One that fails, or prints
// no number, says that the candidate cannot be.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline.h"
#include "tune/genetic.h"
#include "tune/tuning_file.h"

namespace burin {

struct TuneOptions {
  CompileOptions compile;
  Hardware hardware;
  std::vector<std::string> runner;
  SearchOptions search;
  std::string measured;  // a file of what was measured, which is read first and added to
  std::function<void(const std::string&)> progress{};  // a line for people; may be empty
  double seconds = 600;                                // for one candidate
  std::function<double(const Tuning&)> cost{};         // instead of the runner; for tests
};

struct TuneResult {
  TuningFile file;
  int genes = 0, measured = 0;
};

// Refused where nothing can be chosen (a target without a device, no kernel with a choice), and
// where the tree cannot be measured as it is.
TuneResult tune(const TuneOptions& options);

}  // namespace burin

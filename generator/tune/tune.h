// burin tune: candidates are made, a runner measures them (runner.h), the best of all that were
// ever measured meet the untuned tree and the file's earlier choices once more (contest.h), and the
// winner becomes the tuning file.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "pipeline.h"
#include "tune/contest.h"
#include "tune/genetic.h"
#include "tune/tuning_file.h"

namespace burin {

struct TuneOptions {
  CompileOptions compile;
  Hardware hardware;
  std::vector<std::string> runner;
  SearchOptions search;
  std::string measured;  // a file of what was measured, which is read first and added to
  std::optional<TuningFile> earlier{};                 // what the tuning file says now
  int rounds = 9;                                      // of the contest
  std::function<void(const std::string&)> progress{};  // a line for people; may be empty
  double seconds = 600;                                // for one candidate
  std::function<CandidateCost(const Tuning&)> cost{};  // instead of the runner; for tests
};

struct TuneResult {
  TuningFile file;         // of the winner
  bool write = false;      // it is faster than what the file says now, or than the untuned tree
  Times untuned, tuned;    // of the contest; `tuned` of the winner or of the best that did not win
  bool contested = false;  // there was something to hold against the untuned tree
  int genes = 0, measured = 0;
};

// The runner fails whatever it is given; the message says what it said, and what is kept.
class RunnerFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Refused where nothing can be chosen (a target without a device, no kernel with a choice), and
// where the earlier file is of another model. Throws RunnerFailed where the tree cannot be measured
// as it is, before or during the search, and where no process can be started.
TuneResult tune(const TuneOptions& options);

}  // namespace burin

// A candidate becomes a tree on disk, and the runner measures it.
//
// The runner is a command that is given two folders: of the candidate's tree, and of the untuned
// one. It prints the microseconds of one run as a number, last on its output. Before that it may
// say what each kernel takes: lines "launch NAME US", of a function in opencl/*.cl, all its
// launches in a run together. What it does to find out is its own, and so is how it makes sure that
// the candidate computes what the untuned tree does. Trees have their self-test. One that fails, or
// prints no number, says that the candidate cannot be.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pipeline.h"
#include "support/process.h"
#include "tune/genetic.h"

namespace burin {

struct RunnerOptions {
  CompileOptions compile;
  Hardware hardware;
  std::vector<std::string> command;
  double seconds = 600;  // for one candidate
};

class Runner {
 public:
  explicit Runner(RunnerOptions options);

  // Microseconds, of each kernel by its key as well where the runner tells them; infinity where it
  // cannot be, and where cost/ predicts several times what the untuned tree takes.
  CandidateCost cost(const Tuning& tuning);

  // Of the last call: why there is no time, by the runner or by burin, which refused the candidate
  // before anything ran.
  const std::string& why() const { return why_; }
  bool called() const { return called_; }
  // False where the system gave no process: that says nothing of the candidate.
  bool started() const { return started_; }

  // Of all that times depend on, as far as burin knows it: 16 hexadecimal digits.
  std::string key(const std::string& choices) const;

 private:
  std::map<StepId, std::vector<std::string>> write(const Compiled& compiled,
                                                   const std::string& folder) const;

  RunnerOptions options_;
  SelfTest self_test_;  // the same for all
  ScratchFolder untuned_;
  std::string why_, content_;
  int64_t predicted_ = 0;  // cycles of the untuned tree
  bool called_ = false, started_ = true;
};

}  // namespace burin

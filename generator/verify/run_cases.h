// A test program that is built, on data: what came out, and whether it is what was expected.
#pragma once

#include <string>
#include <vector>

#include "pipeline.h"
#include "verify/build.h"
#include "verify/read_case.h"
#include "verify/verify.h"

namespace burin {

struct NamedCase {
  std::string path;  // of the data, for people
  DataCase data;
};

struct WeightsFile {
  std::string path;     // empty where they are part of the program
  int64_t offset = -1;  // of the network's own in that file; -1: they are the file
  int64_t bytes = 0;    // of these
};

// How programs are built that these options want.
BuildOptions build_options(const VerifyOptions& options);

// driver.cpp, test_driver.cpp and what they include.
void write_driver(const ModelPlan& plan, const std::string& folder);

// Emits into `folder`/tree and builds `folder`/program; returns the program.
std::string make_program(const ModelPlan& plan, const std::string& folder,
                         const VerifyOptions& options);
// The weights that lie in a tree of one network; none where they are part of the program.
WeightsFile weights_of(const ModelPlan& plan, const std::string& tree);

// The outcome of each run. Files of the exchange go into `folder`. Throws ToolFailed when the
// runner fails, or there is no device that could run the tree.
std::vector<RunOutcome> run_program(const ModelPlan& plan, const std::vector<Run>& runs,
                                    const std::string& program, const WeightsFile& weights,
                                    const std::string& folder, const VerifyOptions& options);

// Files of the exchange go into `folder`. Throws ToolFailed when the runner fails.
std::vector<DataSetVerdict> run_cases(const Compiled& compiled, const std::vector<NamedCase>& cases,
                                      const std::string& program, const WeightsFile& weights,
                                      const std::string& folder, const VerifyOptions& options);

// How far an output may be off: by its type, as fp16 where tensors or arithmetic are in these. Of
// bytes that others computed any number may be a step off, since they round what lies between two
// as they do; beside the interpreter few, where sums of floats in another order fall on the other
// side of a boundary.
Tolerance output_tolerance(const ModelPlan& plan, size_t output, Type type, bool of_interpreter);

}  // namespace burin

// One emitted tree as a program that a test runs on tensors of its own, beside the interpreter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/interpreter/interpreter.h"
#include "pipeline.h"
#include "support/process.h"
#include "verify/exchange.h"

namespace burin {

struct EmittedOptions {
  std::vector<std::string> dims = {};  // as of the --dim flags
  const char* hardware = "cpp-generic";
  bool sanitize = true;                 // AddressSanitizer and UndefinedBehaviorSanitizer
  std::vector<std::string> flags = {};  // of the compiler, after all others
  int threads = 0;      // that share even the smallest work; 0: as the hardware says
  bool strict = false;  // declared shapes are checked
};

class EmittedProgram {
 public:
  // From the bytes of a model, as one translation unit. Refused as compile() does.
  EmittedProgram(const std::string& model, const EmittedOptions& options);
  explicit EmittedProgram(const std::string& model, const std::vector<std::string>& dims = {})
      : EmittedProgram(model, EmittedOptions{.dims = dims}) {}
  // From a graph that is in no file.
  EmittedProgram(const Graph& graph, const EmittedOptions& options);
  EmittedProgram(const Graph& graph, bool sanitize)
      : EmittedProgram(graph, EmittedOptions{.sanitize = sanitize}) {}

  // `capacities`: as Run's. A program that the sanitizers end is a failure of the test.
  RunOutcome run(const std::vector<HostTensor>& inputs,
                 const std::vector<int64_t>& capacities = {}) const;

  // By one thread, and in single parts under changing workers, the last one first (parallel_for).
  std::vector<RunOutcome> run_in_parts(const std::vector<HostTensor>& inputs) const;

  // The same, with room for outputs of the shapes `wanted`.
  RunOutcome run_for(const std::vector<HostTensor>& inputs,
                     const std::vector<std::vector<int64_t>>& wanted) const;

  // With inputs of small numbers, whose shapes follow from `symbols`, whether they go together or
  // not.
  RunOutcome run_at(const std::map<std::string, int64_t>& symbols) const;

  // What the interpreter makes of the model before anything is fused.
  RunResult expected(const std::vector<HostTensor>& inputs) const;

  // Expects that the run ends well and gives what the interpreter gives.
  void expect_agrees(const std::vector<HostTensor>& inputs) const;

  // Whether compile() takes the graph: beyond what lower() refuses, sizes that nothing bounds.
  static bool compiles(const Graph& graph);

  const ModelPlan& plan() const { return compiled_.plan; }
  // Where the program lies, and what it leaves behind.
  const std::string& folder() const { return scratch_->path(); }

 private:
  void build(const EmittedOptions& options);
  RunOutcome execute(const Run& run) const;
  // Of one program, one after the other.
  std::vector<RunOutcome> execute(std::vector<Run> runs) const;
  std::map<std::string, int64_t> symbols(const std::vector<HostTensor>& inputs) const;

  std::unique_ptr<ScratchFolder> scratch_ = std::make_unique<ScratchFolder>();
  std::string program_;
  std::vector<std::string> runner_;  // in front of it
  Compiled compiled_;
  KernelGraph lowered_;
};

}  // namespace burin

// One emitted tree as a program that a test runs on tensors of its own, beside the interpreter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/interpreter.h"
#include "pipeline.h"
#include "support/process.h"
#include "verify/exchange.h"

namespace burin {

class EmittedProgram {
 public:
  // From the bytes of a model, for scalar C++, as one translation unit under AddressSanitizer and
  // UndefinedBehaviorSanitizer. `dims`: as of the --dim flags. Refused as compile() does.
  explicit EmittedProgram(const std::string& model, const std::vector<std::string>& dims = {});

  // `capacities`: as Run's. A program that the sanitizers end is a failure of the test.
  RunOutcome run(const std::vector<HostTensor>& inputs,
                 const std::vector<int64_t>& capacities = {}) const;

  // What the interpreter makes of the model before anything is fused.
  RunResult expected(const std::vector<HostTensor>& inputs) const;

  // Expects that the run ends well and gives what the interpreter gives.
  void expect_agrees(const std::vector<HostTensor>& inputs) const;

  const ModelPlan& plan() const { return compiled_.plan; }

 private:
  std::map<std::string, int64_t> symbols(const std::vector<HostTensor>& inputs) const;

  std::unique_ptr<ScratchFolder> scratch_ = std::make_unique<ScratchFolder>();
  std::string program_;
  Compiled compiled_;
  KernelGraph lowered_;
};

}  // namespace burin

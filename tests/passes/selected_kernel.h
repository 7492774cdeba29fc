// The program of a graph of one kernel: verified, and run against the interpreter.
#pragma once

#include "graph_fixture.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "select/select.h"

namespace burin {

class SelectedKernel {
 public:
  SelectedKernel(KernelGraph graph, const Hardware& hardware, const SelectOptions& options = {})
      : graph_(std::move(graph)), selection_(select(graph_, hardware, options)) {
    const std::vector<std::string> faults = loops::verify(program());
    for (const std::string& fault : faults) ADD_FAILURE() << fault;
    if (!faults.empty()) ADD_FAILURE() << loops::to_string(program());
  }
  const KernelSchedule& schedule() const { return selection_.kernels.at(StepId{0}); }
  const std::string& key() const { return selection_.keys.at(StepId{0}); }
  const loops::Program& program() const { return *schedule().program; }
  const ContractionSchedule& product() const { return *schedule().contraction; }

  // Of kernels whose sums run in the order of the definition: bits are the same.
  void expect_definition(const std::map<std::string, int64_t>& symbols = {}) const {
    const std::vector<HostTensor> inputs = sample_inputs(graph_, symbols);
    const RunResult wanted = interpret(graph_, inputs, symbols);
    ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
    Environment environment;
    environment.symbols = symbols;
    for (size_t k = 0; k < inputs.size(); ++k) environment.tensors[graph_.inputs[k]] = inputs[k];
    const std::vector<Value>& values = selection_.graph.values;
    const RunResult result = loops::run_loops(program(), values, environment);
    ASSERT_EQ(result.status, kRunOk) << result.message << "\n" << loops::to_string(program());
    EXPECT_EQ(environment.tensor(values, graph_.outputs[0]), wanted.outputs[0])
        << loops::to_string(program());
  }

 private:
  KernelGraph graph_;
  Selection selection_;
};

}  // namespace burin

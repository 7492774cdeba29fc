// The program of a graph of one kernel: verified, and run against the interpreter.
#pragma once

#include "graph_fixture.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "select/choose.h"

namespace burin {

class SelectedKernel {
 public:
  SelectedKernel(KernelGraph graph, const Hardware& hardware, const SelectOptions& options = {})
      : graph_(std::move(graph)),
        chosen_(choose_loops(graph_, hardware, options)),
        selection_(with_programs(chosen_, hardware)) {
    const std::vector<std::string> faults = loops::verify(program());
    for (const std::string& fault : faults) ADD_FAILURE() << fault;
    if (!faults.empty()) ADD_FAILURE() << loops::to_string(program());
  }
  const LoopPlan& plan() const { return chosen_.plans.at(StepId{0}); }
  const std::string& key() const { return selection_.keys.at(StepId{0}); }
  const loops::Program& program() const { return *selection_.kernels.at(StepId{0}).program; }
  const ContractionSchedule& product() const { return *plan().contraction; }

  // Of kernels whose sums run in the order of the definition: bits are the same.
  void expect_definition(const std::map<std::string, int64_t>& symbols = {}) const {
    expect_same(sample_inputs(graph_, symbols), symbols);
  }
  // The same of inputs whose elements are numbered.
  void expect_definition_of(const std::function<double(int64_t)>& element) const {
    expect_same(numbered_inputs(element), {});
  }
  // The first output, by the definition and by the program.
  struct Both {
    HostTensor wanted, got;
  };
  Both both(const std::function<double(int64_t)>& element) const {
    return run(numbered_inputs(element), {});
  }

 private:
  std::vector<HostTensor> numbered_inputs(const std::function<double(int64_t)>& element) const {
    std::vector<HostTensor> out = sample_inputs(graph_, {});
    for (HostTensor& tensor : out) {
      for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, {element(i), 0});
    }
    return out;
  }
  void expect_same(const std::vector<HostTensor>& inputs,
                   const std::map<std::string, int64_t>& symbols) const {
    const Both both = run(inputs, symbols);
    EXPECT_EQ(both.got, both.wanted) << loops::to_string(program());
  }
  Both run(const std::vector<HostTensor>& inputs,
           const std::map<std::string, int64_t>& symbols) const {
    RunResult wanted = interpret(graph_, inputs, symbols);
    EXPECT_EQ(wanted.status, kRunOk) << wanted.message;
    Environment environment;
    environment.symbols = symbols;
    for (size_t k = 0; k < inputs.size(); ++k) environment.tensors[graph_.inputs[k]] = inputs[k];
    const std::vector<Value>& values = selection_.graph.values;
    const RunResult result = loops::run_loops(program(), values, environment);
    EXPECT_EQ(result.status, kRunOk) << result.message << "\n" << loops::to_string(program());
    if (wanted.status != kRunOk || result.status != kRunOk) return {};
    return {std::move(wanted.outputs[0]), environment.tensor(values, graph_.outputs[0])};
  }

  KernelGraph graph_;
  LoopPlans chosen_;
  Selection selection_;
};

}  // namespace burin

#include "verify/made_up.h"

#include <algorithm>

#include "kernel/interpreter/interpreter.h"
#include "support/diagnostics.h"
#include "verify/nibbles.h"
#include "verify/self_test.h"

namespace burin {
namespace {

// Of the interpreter: some seconds.
constexpr int64_t kOperations = int64_t{1} << 30;
constexpr int64_t kMostBytes = int64_t{1} << 28;
constexpr const char* kGiveData =
    "give data with outputs: --data names a folder with input_<k>.pb and output_<k>.pb";

// " at 'batch' = 2, 'seq' = 3".
std::string at_sizes(const std::map<std::string, int64_t>& sizes) {
  std::string out;
  for (const auto& [name, size] : sizes)
    out += (out.empty() ? " at " : ", ") + burin::quoted(name) + " = " + std::to_string(size);
  return out;
}

}  // namespace

std::vector<NamedCase> made_up_cases(const Compiled& compiled, const CompileOptions& options) {
  SelfTestOptions made_up;
  made_up.operations = kOperations;
  made_up.most_bytes = kMostBytes;
  made_up.least_drawn_bytes = kMostBytes;  // no text is made of them
  const SelfTest test = make_self_test(compiled, options, made_up);
  if (test.runs.empty()) refuse("io", "there are no data, and " + test.origin, kGiveData);
  std::vector<NamedCase> out;
  for (const SampleRun& run : test.runs) {
    const bool again = std::any_of(
        test.runs.data(), &run, [&](const SampleRun& other) { return other.sizes == run.sizes; });
    NamedCase one{(again ? "other made-up inputs" : "made-up inputs") + at_sizes(run.sizes) +
                      ", results of the interpreter",
                  {}};
    one.data.of_interpreter = true;
    one.data.run.symbols = run.sizes;
    one.data.run.inputs = run.inputs;
    for (const HostTensor& output : run.outputs) {
      one.data.run.wanted.push_back(output.shape);
      one.data.wanted.emplace_back(output);
    }
    out.push_back(std::move(one));
  }
  return out;
}

NamedCase with_results(const Compiled& compiled, NamedCase one) {
  DataCase& data = one.data;
  const bool says_something = std::any_of(data.wanted.begin(), data.wanted.end(),
                                          [](const auto& wanted) { return wanted.has_value(); });
  const KernelGraph& graph = compiled.plan.graph;
  if (says_something || graph.outputs.empty()) return one;
  const KernelGraph& lowered = compiled.lowered;
  InterpretOptions budget;
  budget.operations = kOperations;
  RunResult result = interpret(lowered, in_widths_of(lowered, lowered.inputs, data.run.inputs),
                               data.run.symbols, budget);
  if (result.status == kRunOverBudget)
    refuse("io", "the data have no outputs, and the interpreter would take too long", kGiveData);
  if (result.status != kRunOk)
    refuse("io", "the data have no outputs, and the interpreter stops: " + result.message,
           kGiveData);
  data.wanted.clear();
  data.run.wanted.clear();
  data.of_interpreter = true;
  for (HostTensor& output : in_widths_of(graph, graph.outputs, std::move(result.outputs))) {
    data.run.wanted.push_back(output.shape);
    data.wanted.emplace_back(std::move(output));
  }
  one.path += ", results of the interpreter";
  return one;
}

}  // namespace burin

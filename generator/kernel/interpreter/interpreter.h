// Interpreter: executes kernels straight from their definition, slowly and obviously, on tensors of
// the host. It is the oracle at every stage boundary and what folds constants.
//
// Nothing is assumed that is not checked: every access lies inside its value, every let is computed
// before it is read, every data index keeps its promised range; a violation is an InternalError.
// What the data of a run can cause (a failed Check, a size out of range) is a status.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"

namespace burin {

// Statuses below 100 are those of the interpreter; a procedure's own status is kRunProcedure plus
// its absolute value.
inline constexpr int kRunOk = 0;
inline constexpr int kRunCheckFailed = 1;  // an assumption of the file, or a symbol out of range
inline constexpr int kRunOverBudget = 2;   // more operations or memory than the options allow
inline constexpr int kRunProcedure = 100;

struct InterpretOptions {
  // Evaluations of single operations, and 128 for every step that is reached.
  int64_t operations = std::numeric_limits<int64_t>::max();
  int64_t bytes = int64_t{4} << 30;  // of all tensors and lets
};

struct RunResult {
  int status = kRunOk;
  std::string message;              // why, when the status is not kRunOk
  std::vector<HostTensor> outputs;  // with the extents that the run gave them
  std::string beyond = {};          // the size that was above its bound, where that was why
};

// Runs a whole graph. `symbols` gives every `param` symbol; inputs that do not fit their declared
// type or shape are refused.
RunResult interpret(const KernelGraph& graph, const std::vector<HostTensor>& inputs,
                    const std::map<std::string, int64_t>& symbols,
                    const InterpretOptions& options = {});

// The values of the graph's symbols that make its declared input shapes equal to `input_shapes`;
// refused when there are none, or when a symbol leaves its bounds. `instead`: what inputs, by
// number, are declared to be for this.
std::map<std::string, int64_t> bind_symbols(const KernelGraph& graph,
                                            const std::vector<std::vector<int64_t>>& input_shapes,
                                            const std::map<size_t, std::vector<Dim>>& instead = {});

// What a run knows at one moment.
struct Environment {
  std::map<std::string, int64_t> symbols;  // by name
  std::map<ValueId, HostTensor> tensors;   // inputs, and what was written; constants are in Value
  std::set<ValueId> open;  // whose first extent is not known yet: it has its upper bound meanwhile
  InterpretOptions left;   // of the budget
  // Called instead of running a kernel, by who runs it in another way; empty: kernels are run.
  std::function<void(const Kernel&)> instead = {};

  // The tensor, whatever kind of value it is; a failed check when it has not been written.
  HostTensor tensor(const std::vector<Value>& values, ValueId id) const;
};

// Runs steps in order; only `status` and `message` of the result are set.
RunResult execute_steps(const Steps& steps, const std::vector<Value>& values,
                        Environment& environment);

}  // namespace burin

// The parts of the interpreter that share an environment. Only interpreter*.cpp and loops/run.cpp
// include it.
#pragma once

#include "kernel/interpreter/interpreter.h"
#include "kernel/interpreter/interpreter_program.h"

namespace burin {

// Ends a run with a status.
struct RunStopped {
  int status;
  std::string message;
  std::string beyond = {};  // RunResult::beyond
};

// Values, symbols and the budget of one run.
class RunState {
 public:
  RunState(const std::vector<Value>& values, Environment& environment)
      : values_(values), environment_(environment) {}

  void set_symbol(const Symbol& symbol, int64_t value);  // stops when it is out of bounds
  void drop_symbol(const Symbol& symbol) { environment_.symbols.erase(symbol->name); }
  int64_t evaluate(const Dim& dim) const;  // a failed check when a symbol has no value yet

  const Value& value(ValueId id) const;
  TensorView view(ValueId id);
  // Makes room for the value with the extents that it has now; a buffer of those extents stays.
  // Fresh memory is all ones: NaN in floats, -1 in integers.
  HostTensor& writable(ValueId id);

  void charge(int64_t times, int64_t operations);  // stops when the budget is used up
  void charge_bytes(int64_t bytes);
  void release_bytes(int64_t bytes) { environment_.left.bytes += bytes; }

  ProgramScope scope();  // without axes and lets
  const std::function<void(const Kernel&)>& instead() const { return environment_.instead; }

 private:
  std::vector<int64_t> extents(ValueId id, bool* open) const;

  const std::vector<Value>& values_;
  std::map<ValueId, HostTensor> row_major_;  // constants that lie in another layout, unpacked once
  Environment& environment_;
};

void run_kernel(const Kernel& kernel, RunState& state);
void run_procedure(const Procedure& procedure, RunState& state);

}  // namespace burin

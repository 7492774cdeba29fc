// Steps in order, and whole graphs.
#include "kernel/interpreter/interpreter.h"

#include "kernel/interpreter/interpreter_steps.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// What a step costs before its first operation: its programs are put together each time that it is
// reached, which takes as long as this many operations and more.
constexpr int64_t kStepOperations = 128;

ScalarValue evaluate(const Expr& expr, RunState& state) {
  const ProgramScope scope = state.scope();
  ProgramBuilder builder(scope);
  builder.result(expr);
  Program program = builder.take();
  state.charge(1, static_cast<int64_t>(program.code.size()) + 1);
  program.run();
  return program.result(0);
}

bool holds(const Guard& guard, RunState& state) {
  const ProgramScope scope = state.scope();
  ProgramBuilder builder(scope);
  builder.guard(guard);
  return builder.take().run();
}

void run_steps(const Steps& steps, RunState& state);

void run_loop(const Loop& loop, RunState& state) {
  const int64_t trips = state.evaluate(loop.trips);
  int64_t executed = 0;
  for (; executed < trips; ++executed) {
    state.charge(1, kStepOperations);
    state.set_symbol(loop.iteration, executed);
    if (evaluate(loop.condition, state).integer == 0) break;
    run_steps(loop.body, state);
  }
  state.drop_symbol(loop.iteration);
  if (loop.executed) state.set_symbol(loop.executed, executed);
}

struct RunStep {
  RunState& state;

  void operator()(const Kernel& kernel) const {
    state.instead() ? state.instead()(kernel) : run_kernel(kernel, state);
  }
  void operator()(const Procedure& procedure) const { run_procedure(procedure, state); }
  void operator()(const Bind& bind) const {
    state.set_symbol(bind.symbol, evaluate(bind.value, state).integer);
  }
  void operator()(const Check& check) const {
    if (holds(check.guard, state)) return;
    const std::string of = check.origins.empty() ? "" : " of " + quoted(check.origins.front().node);
    throw RunStopped{kRunCheckFailed, check.what + of};
  }
  void operator()(const std::shared_ptr<If>& branch) const {
    const bool taken = evaluate(branch->condition, state).integer != 0;
    run_steps(taken ? branch->then_steps : branch->else_steps, state);
  }
  void operator()(const std::shared_ptr<Loop>& loop) const { run_loop(*loop, state); }
};

void run_steps(const Steps& steps, RunState& state) {
  for (const Step& step : steps) {
    state.charge(1, kStepOperations);
    std::visit(RunStep{state}, step);
  }
}

std::string shape_text(const std::vector<int64_t>& shape) {
  return to_string(std::vector<Dim>(shape.begin(), shape.end()));
}

}  // namespace

RunResult execute_steps(const Steps& steps, const std::vector<Value>& values,
                        Environment& environment) {
  try {
    RunState state(values, environment);
    run_steps(steps, state);
  } catch (const RunStopped& stopped) {
    return {stopped.status, stopped.message, {}, stopped.beyond};
  }
  return {};
}

RunResult interpret(const KernelGraph& graph, const std::vector<HostTensor>& inputs,
                    const std::map<std::string, int64_t>& symbols,
                    const InterpretOptions& options) {
  BURIN_CHECK(inputs.size() == graph.inputs.size(), "number of inputs");
  Environment environment;
  environment.left = options;
  RunState state(graph.values, environment);
  try {
    for (const Symbol& symbol : graph.symbols) {
      const auto given = symbols.find(symbol->name);
      BURIN_CHECK(given != symbols.end(), "no value for " + quoted(symbol->name));
      state.set_symbol(symbol, given->second);
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ValueId id = graph.inputs[i];
      const Value& value = state.value(id);
      std::vector<int64_t> expected;
      for (const Dim& dim : value.shape) expected.push_back(state.evaluate(dim));
      if (inputs[i].type != value.type || inputs[i].shape != expected) {
        refuse("shape-mismatch", "input " + quoted(value.name) + " is " +
                                     std::string(to_string(inputs[i].type)) +
                                     shape_text(inputs[i].shape) + ", the model has " +
                                     std::string(to_string(value.type)) + shape_text(expected));
      }
      state.charge_bytes(static_cast<int64_t>(inputs[i].bytes.size()));
      environment.tensors[id] = inputs[i];
    }
    run_steps(graph.steps, state);
  } catch (const RunStopped& stopped) {
    return {stopped.status, stopped.message, {}, stopped.beyond};
  }
  RunResult result;
  for (const ValueId id : graph.outputs) {
    result.outputs.push_back(environment.tensor(graph.values, id));
  }
  return result;
}

}  // namespace burin

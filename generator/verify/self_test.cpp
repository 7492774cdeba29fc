#include "verify/self_test.h"

#include <algorithm>

#include "backends/sample_text.h"
#include "kernel/defined_symbols.h"
#include "kernel/index/size_bound.h"
#include "kernel/interpreter/interpreter.h"
#include "report/compare.h"
#include "report/data_set.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "verify/large_numbers.h"
#include "verify/made_inputs.h"
#include "verify/nibbles.h"
#include "verify/reached_blocks.h"
#include "verify/read_case.h"
#include "verify/run_cases.h"
#include "verify/tried_sizes.h"

namespace burin {
namespace {

constexpr int64_t kMostCapacity = int64_t{1} << 16;  // elements that an output is given at most

int64_t bytes_of(const std::vector<HostTensor>& tensors) {
  int64_t bytes = 0;
  for (const HostTensor& tensor : tensors) bytes += static_cast<int64_t>(tensor.bytes.size());
  return bytes;
}

// At least so many operations are needed: the points of all kernels. Stops counting beyond `most`.
int64_t least_operations(const KernelGraph& graph, const SampleSizes& sizes, int64_t most) {
  int64_t total = 0;
  const auto add = [&](const Kernel& kernel, const std::vector<int>& over,
                       const std::vector<int>& reduced) {
    int64_t points = 1;
    for (const std::vector<int>* axes : {&over, &reduced}) {
      for (const int axis : *axes) {
        const int64_t extent =
            kernel.axes[static_cast<size_t>(axis)].extent.evaluate([&](const Index& leaf) {
              const auto known = sizes.find(leaf.as_symbol()->name);
              return known == sizes.end() ? std::max<int64_t>(1, leaf.as_symbol()->min)
                                          : known->second;
            });
        points = points > most ? points : points * std::max<int64_t>(0, extent);
      }
    }
    total = std::min(most + 1, total + points);
  };
  for_each_step(graph.steps, [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel || total > most) return;
    for (const Let& let : kernel->lets) add(*kernel, let.over, let.reduced);
    for (const Write& write : kernel->writes) add(*kernel, write.over, {});
  });
  return total;
}

// Why vectors of this model cannot be compared; empty: they can.
std::string obstacle(const KernelGraph& graph) {
  for (const std::vector<ValueId>* list : {&graph.inputs, &graph.outputs}) {
    for (const ValueId id : *list) {
      const Value& value = graph.values[static_cast<size_t>(id)];
      const int bits = size_bits(value.type);
      if (bits < 8 || (is_float(value.type) && bits == 8))
        return "no sample vectors: " + std::string(to_string(value.type)) +
               " is not compared by C programs";
    }
  }
  for (const ValueId id : graph.outputs) {
    int64_t most = 1;
    for (const Dim& dim : graph.values[static_cast<size_t>(id)].shape) {
      const int64_t hi = dim.range().hi;
      if (hi != kUnbounded && most <= kMostCapacity) most *= std::max<int64_t>(1, hi);
    }
    std::vector<Symbol> symbols;
    for (const Dim& dim : graph.values[static_cast<size_t>(id)].shape) dim.collect_symbols(symbols);
    const bool by_the_run = std::any_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) {
      return symbol->origin != SymbolOrigin::param;
    });
    if (by_the_run && most > kMostCapacity)
      return "no sample vectors: the run decides the size of an output, which may be large";
  }
  return {};
}

void add_tolerances(const ModelPlan& plan, bool of_interpreter, SelfTest& out) {
  for (size_t k = 0; k < plan.graph.outputs.size(); ++k) {
    const Type type = plan.graph.values[static_cast<size_t>(plan.graph.outputs[k])].type;
    const Tolerance tolerance = output_tolerance(plan, k, type, of_interpreter);
    out.absolute.push_back(tolerance.absolute);
    out.relative.push_back(tolerance.relative);
    for (SampleRun& run : out.runs)
      run.most_off.push_back(
          most_off(is_float(type) ? 1 : tolerance.share, run.outputs[k].elements()));
  }
}

SelfTest from_data(const Compiled& compiled, const CompileOptions& compiled_with,
                   const SelfTestOptions& options) {
  SelfTest out;
  std::vector<std::string> folders = data_sets_of(options.data);
  if (folders.empty()) folders.push_back(options.data);
  int64_t bytes = 0;
  for (const std::string& folder : folders) {
    const DataSet set = read_data_set(folder, compiled_with.model);
    DataCase one =
        located({.file = folder}, [&] { return read_case(compiled, set, compiled_with); });
    SampleRun run{one.run.symbols, one.run.inputs, {}, {}};
    for (size_t k = 0; k < compiled.plan.graph.outputs.size(); ++k) {
      if (k >= one.wanted.size() || !one.wanted[k])
        refuse("io", quoted(folder) + " has no output_" + std::to_string(k) + ".pb");
      run.outputs.push_back(*one.wanted[k]);
    }
    bytes += bytes_of(run.inputs) + bytes_of(run.outputs);
    if (bytes > options.most_data_bytes) {
      refuse("test-data-size",
             quoted(options.data) + " has more than " + std::to_string(options.most_data_bytes) +
                 " bytes of tensors",
             "the vectors become source text: give fewer or smaller data sets");
    }
    out.runs.push_back(std::move(run));
  }
  out.origin = "inputs and results are data that came with the model";
  return out;
}

// Whether sizes are those that the model assumes, as far as they alone say so.
bool sizes_agree(const KernelGraph& graph, const SampleSizes& sizes) {
  Steps checks;
  for_each_step(graph.steps, [&](const Step& step) {
    const Check* check = std::get_if<Check>(&step);
    if (!check) return;
    const bool known = std::all_of(check->guard.begin(), check->guard.end(), [](const auto& one) {
      return is_known_before_run(one.index) && is_known_before_run(one.lo) &&
             is_known_before_run(one.hi);
    });
    if (known) checks.push_back(*check);
  });
  Environment environment{.symbols = sizes, .tensors = {}, .open = {}, .left = {}};
  return execute_steps(checks, graph.values, environment).status == kRunOk;
}

// Whether a size has its value from other sizes alone: then its bound is derived from theirs, and
// no data of a caller lead beyond it.
bool is_derived(const KernelGraph& graph, const std::string& name) {
  bool bound = false, by_data = false;
  for_each_step(graph.steps, [&](const Step& step) {
    const Bind* bind = std::get_if<Bind>(&step);
    if (!bind || bind->symbol->name != name) return;
    bound = true;
    by_data = by_data || !reads_of(step).empty();
  });
  return bound && !by_data;
}

// Whether a user's word bounds a dynamic size: those that follow from it are no surprise.
bool bounded_by_user(const KernelGraph& graph, const CompileOptions& options) {
  std::set<std::string> defined;
  for (const Step& step : graph.steps) defined.merge(defined_symbols(step));
  return std::any_of(options.import.dims.begin(), options.import.dims.end(),
                     [&](const DimBinding& one) { return defined.contains(one.name); });
}

std::string too_long(const char* what, int64_t most_bytes) {
  return std::string("no sample vectors: ") + what + " of more than " + std::to_string(most_bytes) +
         " bytes are too long for source text";
}

std::string text_of(const SampleSizes& sizes) {
  std::string out;
  for (const auto& [name, size] : sizes)
    out += (out.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  return out.empty() ? "the model's sizes" : out;
}

// What inputs take at these sizes where so many bytes stand in the text and the rest is drawn;
// empty: no more than there is room for.
std::string too_long_inputs(const KernelGraph& graph, const SampleSizes& sizes, int64_t text,
                            const SelfTestOptions& options) {
  int64_t in_text = 0, drawn = 0;
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    const int64_t most = std::max(text, options.most_drawn_bytes);
    int64_t bytes = size_bits(value.type) / 8;
    for (const int64_t extent : shape_at(value.shape, sizes))
      bytes = extent != 0 && bytes > most ? bytes : bytes * extent;
    (bytes > options.least_drawn_bytes ? drawn : in_text) += bytes;
  }
  if (in_text > text) return too_long("inputs", text);
  if (drawn > options.most_drawn_bytes)
    return "no sample vectors: inputs of more than " + std::to_string(options.most_drawn_bytes) +
           " bytes are too long for a test";
  return {};
}

// Large inputs whose elements are, but for few, those of their sequence.
std::map<size_t, DrawnTensor> drawn_inputs(const std::vector<HostTensor>& inputs, int64_t least) {
  std::map<size_t, DrawnTensor> out;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const HostTensor& input = inputs[i];
    if (static_cast<int64_t>(input.bytes.size()) <= least) continue;
    DrawnTensor drawn{sequence_of_input(i), {}};
    Numbers numbers(drawn.sequence);
    drawn.elements = made_up_tensor(input.type, input.shape, numbers);
    if (are_few(changed_elements(drawn.elements, input), input)) out.emplace(i, std::move(drawn));
  }
  return out;
}

struct Tried {
  std::optional<SampleRun> run;
  std::string why;       // there is none
  bool stopped = false;  // by the run itself
  bool added = false;    // the run is one of the test's
};

// What inputs are made up of.
enum class InputKind : uint8_t { lengths, without_lengths, large_numbers };

// Whether the outputs of a run in large numbers are numbers, and those of inputs that differ in
// their last places: what overflows or cancels says nothing of a tree.
bool tells_something(const Compiled& compiled, const std::vector<HostTensor>& inputs,
                     const SampleSizes& sizes, const InterpretOptions& budget,
                     const std::vector<HostTensor>& outputs) {
  if (!all_finite(outputs)) return false;
  const RunResult moved = interpret(compiled.lowered, moved_a_little(inputs), sizes, budget);
  if (moved.status != kRunOk) return false;
  for (size_t k = 0; k < outputs.size(); ++k) {
    const Tolerance tolerance = output_tolerance(compiled.plan, k, outputs[k].type, true);
    if (!compare(moved.outputs[k], outputs[k], tolerance).agrees()) return false;
  }
  return true;
}

// A run at these sizes, where the interpreter may spend so many operations, and text so many bytes.
Tried sample_at(const Compiled& compiled, const CompileOptions& compiled_with,
                const SampleSizes& sizes, int64_t operations, int64_t most_bytes, size_t number,
                InputKind kind, const SelfTestOptions& options) {
  const KernelGraph& graph = compiled.plan.graph;
  const std::string over_budget = "no sample vectors: the interpreter would need more than " +
                                  std::to_string(operations) + " operations";
  InterpretOptions budget;
  budget.operations = operations;
  budget.bytes = int64_t{256} << 20;
  SampleRun run{sizes, {}, {}, {}};
  if (least_operations(compiled.lowered, sizes, operations) > operations) return {{}, over_budget};
  if (std::string why = too_long_inputs(graph, sizes, most_bytes, options); !why.empty())
    return {{}, std::move(why), false, false};
  RunResult result;
  std::vector<HostTensor> inputs;
  for (const bool lengths : {kind != InputKind::without_lengths, false}) {
    inputs = inputs_of_model(compiled, sizes, lengths, number);
    if (kind == InputKind::large_numbers) inputs = in_large_numbers(std::move(inputs));
    run.inputs = in_widths_of(graph, graph.inputs, inputs);
    result = interpret(compiled.lowered, inputs, sizes, budget);
    if (result.status == kRunOk || result.status == kRunOverBudget) break;
  }
  if (result.status == kRunOverBudget) return {{}, over_budget};
  if (result.status != kRunOk) {
    const std::string where = text_of(sizes) + ": " + result.message;
    const KernelGraph& lowered = compiled.lowered;
    BURIN_CHECK(!is_derived(lowered, result.beyond) || !sizes_agree(lowered, sizes) ||
                    bounded_by_user(lowered, compiled_with),
                "a run of the model leaves a bound that was derived for it; at " + where);
    return {
        {},
        "no sample vectors: the interpreter's runs stop at all sizes that were tried, at " + where,
        true,
        false};
  }
  if (kind == InputKind::large_numbers &&
      !tells_something(compiled, inputs, sizes, budget, result.outputs))
    return {{}, "large numbers say nothing", false, false};
  run.outputs = in_widths_of(graph, graph.outputs, std::move(result.outputs));
  run.drawn = drawn_inputs(run.inputs, options.least_drawn_bytes);
  if (text_bytes(compiled.plan, run) > most_bytes)
    return {{}, too_long("inputs and outputs", most_bytes), false, false};
  return {std::move(run), {}, false, false};
}

// What the tree is made for, and at least 64 where that may be; or about a half of that, a quarter
// ...: sizes at which whole blocks run, and what is left of them. Few, and largest first.
std::vector<SampleSizes> larger_sizes(const KernelGraph& graph) {
  constexpr int kHalvings = 5;
  constexpr int64_t kUsual = 64;
  std::vector<SampleSizes> out;
  for (int halved = 0; halved <= kHalvings && !graph.symbols.empty(); ++halved) {
    SampleSizes sizes;
    for (const Symbol& symbol : graph.symbols) {
      const int64_t whole =
          std::max(at_hints(Index::symbol(symbol)), std::min(symbol->max, kUsual));
      sizes[symbol->name] = halved == 0 ? whole
                                        : std::clamp(((whole - 1) >> halved) + 1 + (halved > 0),
                                                     symbol->min, std::max(symbol->min, whole));
    }
    out.push_back(std::move(sizes));
  }
  return out;
}

// Whether data decide which steps run.
bool has_branches(const KernelGraph& graph) {
  bool out = false;
  for_each_step(graph.steps, [&](const Step& step) {
    out = out || std::holds_alternative<std::shared_ptr<If>>(step);
  });
  return out;
}

SelfTest from_interpreter(const Compiled& compiled, const CompileOptions& compiled_with,
                          const SelfTestOptions& options) {
  constexpr int kMostLarger = 3;  // runs that are tried
  constexpr size_t kMostFurther = 6;
  SelfTest out;
  const KernelGraph& graph = compiled.plan.graph;
  int64_t bytes = 0;  // of all runs
  const auto sample = [&](const SampleSizes& sizes, int64_t operations, int64_t most_bytes,
                          InputKind kind = InputKind::lengths) {
    Tried one = sample_at(compiled, compiled_with, sizes, operations, most_bytes, out.runs.size(),
                          kind, options);
    if (one.run) {
      bytes += text_bytes(compiled.plan, *one.run);
      out.runs.push_back(std::move(*one.run));
      one.run.reset();
      one.added = true;
    }
    return one;
  };
  out.origin = "no sample vectors: no small sizes were found that the model accepts";
  bool stopped = false;
  for (const SampleSizes& sizes : sizes_to_try(graph)) {
    const Tried one = sample(sizes, options.operations, options.most_bytes);
    stopped = stopped || one.stopped;
    out.origin = one.added ? "inputs are made up, results are those of the interpreter on the "
                             "unfused network"
                           : one.why;
    if (one.added) break;
  }
  if (out.runs.empty()) {
    if (stopped && options.warn) options.warn(out.origin);
    return out;
  }
  // Small sizes run the ends of blocks only.
  const int64_t operations = options.operations / 4, left = options.most_bytes / 4;
  const auto affordable = [&](const SampleSizes& sizes) {
    return least_operations(compiled.lowered, sizes, operations) <= operations;
  };
  int tries = 0;
  for (const SampleSizes& sizes : larger_sizes(graph)) {
    if (sizes == out.runs[0].sizes || tries == kMostLarger) break;
    if (!affordable(sizes)) continue;
    const Tried one = sample(sizes, operations, left);
    tries += one.stopped;
    if (one.added) break;
  }
  // Versions of code that neither runs.
  std::vector<SampleSizes> tried;
  for (const SampleRun& run : out.runs) tried.push_back(run.sizes);
  const auto room = [&] { return std::min(options.most_bytes, 2 * options.most_bytes - bytes); };
  const auto fits = [&](const SampleSizes& sizes) {
    return affordable(sizes) && too_long_inputs(graph, sizes, room(), options).empty();
  };
  for (const SampleSizes& sizes : sizes_that_reach_more(compiled.plan, tried, kMostFurther, fits))
    sample(sizes, operations, room());
  // The ways of branches: with both numbers of what may decide, and with several turns of loops.
  for (int way = 0; way < 2 && has_branches(graph); ++way) {
    const SampleSizes& sizes = fits(tried.back()) ? tried.back() : tried[0];
    if (fits(sizes)) sample(sizes, operations, room(), InputKind::without_lengths);
  }
  if (takes_off_greatest(compiled.lowered) && fits(tried[0]))
    sample(tried[0], operations, room(), InputKind::large_numbers);
  return out;
}

}  // namespace

SelfTest make_self_test(const Compiled& compiled, const CompileOptions& compiled_with,
                        const SelfTestOptions& options) {
  SelfTest out;
  out.origin = obstacle(compiled.plan.graph);
  if (out.origin.empty()) {
    out = options.data.empty() ? from_interpreter(compiled, compiled_with, options)
                               : from_data(compiled, compiled_with, options);
  }
  add_tolerances(compiled.plan, options.data.empty(), out);
  return out;
}

}  // namespace burin

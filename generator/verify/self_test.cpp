#include "verify/self_test.h"

#include <algorithm>

#include "kernel/defined_symbols.h"
#include "kernel/index/size_bound.h"
#include "kernel/interpreter/interpreter.h"
#include "report/compare.h"
#include "report/data_set.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/numbers.h"
#include "verify/into_lengths.h"
#include "verify/into_ranges.h"
#include "verify/nibbles.h"
#include "verify/packed_data.h"
#include "verify/read_case.h"
#include "verify/run_cases.h"
#include "verify/tried_sizes.h"

namespace burin {
namespace {

constexpr int64_t kMostCapacity = int64_t{1} << 16;  // elements that an output is given at most

// Extents that go together with the tensor of all items.
void make_consistent(const PackedValue& packed, std::vector<HostTensor>& inputs) {
  size_t next = packed.place;
  if (packed.nested) inputs.at(next++).set(0, {0, 1});
  if (packed.axes.empty()) return;
  HostTensor& extents = inputs.at(next + 1);
  extents = made_up_extents(packed, extents.shape.at(0), inputs.at(next).shape.at(0));
}

int64_t bytes_of(const std::vector<HostTensor>& tensors) {
  int64_t bytes = 0;
  for (const HostTensor& tensor : tensors) bytes += static_cast<int64_t>(tensor.bytes.size());
  return bytes;
}

std::vector<int64_t> shape_at(const std::vector<Dim>& shape, const SampleSizes& sizes) {
  std::vector<int64_t> out;
  for (const Dim& dim : shape) {
    out.push_back(
        dim.evaluate([&](const Index& leaf) { return sizes.at(leaf.as_symbol()->name); }));
  }
  return out;
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

void add_tolerances(const ModelPlan& plan, SelfTest& out) {
  for (size_t k = 0; k < plan.graph.outputs.size(); ++k) {
    const Type type = plan.graph.values[static_cast<size_t>(plan.graph.outputs[k])].type;
    const Tolerance tolerance = output_tolerance(plan, k, type);
    out.absolute.push_back(tolerance.absolute);
    out.relative.push_back(tolerance.relative);
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
    SampleRun run{one.run.symbols, one.run.inputs, {}};
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

std::string text_of(const SampleSizes& sizes) {
  std::string out;
  for (const auto& [name, size] : sizes)
    out += (out.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  return out.empty() ? "the model's sizes" : out;
}

// As the model has them: only there numbers of 4 bits wrap.
std::vector<HostTensor> inputs_of_model(const Compiled& compiled, const SampleSizes& sizes,
                                        bool lengths) {
  const KernelGraph& graph = compiled.plan.graph;
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const Value& value = graph.values[static_cast<size_t>(graph.inputs[i])];
    Numbers numbers(i + 1);
    inputs.push_back(made_up_tensor(value.type, shape_at(value.shape, sizes), numbers));
  }
  for (const PackedValue& packed : compiled.plan.packed_inputs) make_consistent(packed, inputs);
  if (lengths) into_lengths(compiled.lowered, graph, sizes, inputs);
  into_ranges(compiled.lowered, sizes, inputs);
  return in_widths_of(compiled.lowered, compiled.lowered.inputs, std::move(inputs));
}

struct Tried {
  std::optional<SampleRun> run;
  std::string why;       // there is none
  bool stopped = false;  // by the run itself
};

// A run at these sizes, where the interpreter may spend so many operations, and text so many bytes.
Tried sample_at(const Compiled& compiled, const CompileOptions& compiled_with,
                const SampleSizes& sizes, int64_t operations, int64_t most_bytes) {
  const KernelGraph& graph = compiled.plan.graph;
  const std::string over_budget = "no sample vectors: the interpreter would need more than " +
                                  std::to_string(operations) + " operations";
  const auto too_long = [&](const char* what) {
    return std::string("no sample vectors: ") + what + " of more than " +
           std::to_string(most_bytes) + " bytes are too long for source text";
  };
  InterpretOptions budget;
  budget.operations = operations;
  budget.bytes = int64_t{256} << 20;
  SampleRun run{sizes, {}, {}};
  int64_t input_bytes = 0;
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    int64_t bytes = size_bits(value.type) / 8;
    for (const int64_t extent : shape_at(value.shape, sizes))
      bytes = extent != 0 && bytes > most_bytes ? bytes : bytes * extent;
    input_bytes += bytes;
  }
  if (least_operations(compiled.lowered, sizes, operations) > operations) return {{}, over_budget};
  if (input_bytes > most_bytes) return {{}, too_long("inputs")};
  RunResult result;
  for (const bool lengths : {true, false}) {
    const std::vector<HostTensor> inputs = inputs_of_model(compiled, sizes, lengths);
    run.inputs = in_widths_of(graph, graph.inputs, inputs);
    result = interpret(compiled.lowered, inputs, sizes, budget);
    if (result.status == kRunOk) break;
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
        true};
  }
  run.outputs = in_widths_of(graph, graph.outputs, std::move(result.outputs));
  if (bytes_of(run.inputs) + bytes_of(run.outputs) > most_bytes)
    return {{}, too_long("inputs and outputs")};
  return {std::move(run), {}};
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

SelfTest from_interpreter(const Compiled& compiled, const CompileOptions& compiled_with,
                          const SelfTestOptions& options) {
  constexpr int kMostLarger = 3;  // runs that are tried
  SelfTest out;
  const KernelGraph& graph = compiled.plan.graph;
  out.origin = "no sample vectors: no small sizes were found that the model accepts";
  bool stopped = false;
  for (const SampleSizes& sizes : sizes_to_try(graph)) {
    Tried one = sample_at(compiled, compiled_with, sizes, options.operations, options.most_bytes);
    stopped = stopped || one.stopped;
    if (!one.run) {
      out.origin = one.why;
      continue;
    }
    out.runs.push_back(std::move(*one.run));
    out.origin = "inputs are made up, results are those of the interpreter on the unfused network";
    break;
  }
  if (out.runs.empty()) {
    if (stopped && options.warn) options.warn(out.origin);
    return out;
  }
  // Small sizes run the ends of blocks only.
  const int64_t operations = options.operations / 4, left = options.most_bytes / 4;
  int tries = 0;
  for (const SampleSizes& sizes : larger_sizes(graph)) {
    if (sizes == out.runs[0].sizes || tries == kMostLarger) break;
    if (least_operations(compiled.lowered, sizes, operations) > operations) continue;
    Tried one = sample_at(compiled, compiled_with, sizes, operations, left);
    tries += one.stopped;
    if (!one.run) continue;
    out.runs.push_back(std::move(*one.run));
    break;
  }
  return out;
}

}  // namespace

HostTensor made_up_tensor(Type type, const std::vector<int64_t>& shape, Numbers& numbers) {
  HostTensor out = make_tensor(type, shape);
  const int bits = size_bits(type);
  for (int64_t i = 0; i < out.elements(); ++i) {
    if (type != Type::boolean && (is_float(type) || bits <= 16)) {
      const int64_t number = static_cast<int64_t>(numbers.below(128)) - 64;
      out.set(i, is_float(compute_type(type))
                     ? ScalarValue{static_cast<double>(number) / 64, 0}
                     : ScalarValue{0, is_signed(type) ? number : number + 64});
    } else {
      out.set(i, {0, static_cast<int64_t>(numbers.below(2))});
    }
  }
  return out;
}

std::vector<HostTensor> made_up_inputs(const Compiled& compiled, const SampleSizes& sizes,
                                       bool lengths) {
  const KernelGraph& graph = compiled.plan.graph;
  return in_widths_of(graph, graph.inputs, inputs_of_model(compiled, sizes, lengths));
}

SelfTest make_self_test(const Compiled& compiled, const CompileOptions& compiled_with,
                        const SelfTestOptions& options) {
  SelfTest out;
  out.origin = obstacle(compiled.plan.graph);
  if (out.origin.empty()) {
    out = options.data.empty() ? from_interpreter(compiled, compiled_with, options)
                               : from_data(compiled, compiled_with, options);
  }
  add_tolerances(compiled.plan, out);
  return out;
}

}  // namespace burin

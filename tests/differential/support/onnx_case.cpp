#include "differential/support/onnx_case.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <set>

#include "differential/support/emitted.h"
#include "fuse/rewrites.h"
#include "graph/hold.h"
#include "graph/items.h"
#include "graph/string_bytes.h"
#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/output_draws.h"
#include "lower/output_roundings.h"
#include "report/compare.h"
#include "report/data_set.h"
#include "select/fuse_options.h"
#include "support/diagnostics.h"
#include "verify/draw_test.h"
#include "verify/read_case.h"

namespace burin {
namespace {

CaseResult of_refusal(const Refused& refused) {
  const Diagnostic& first = refused.diagnostics.front();
  const bool unsupported = first.rule.starts_with("unsupported-");
  return {unsupported ? Outcome::unsupported : Outcome::refused, first.rule, to_line(first), {}};
}

// The model beside a data set.
std::string model_of(const std::string& data_set) {
  return std::filesystem::path(data_set).parent_path().string() + "/model.onnx";
}

struct Prepared {
  Graph graph;
  std::vector<std::optional<NamedTensor>> inputs;  // of graph.block.inputs, in order
  std::string held;
};

// Holds the last input that is a number or a short list of integers; false when there is none.
bool hold_last(Prepared& prepared) {
  for (size_t k = prepared.inputs.size(); k-- > 0;) {
    if (!prepared.inputs[k]) continue;
    const Tensor& tensor = prepared.inputs[k]->tensor;
    const bool list = tensor.shape.size() <= 1 && tensor.elements() <= 16;
    if (!list || (is_float(tensor.type) && tensor.elements() > 1)) continue;
    prepared.held += (prepared.held.empty() ? "" : " ") + prepared.inputs[k]->name;
    prepared.graph = hold_input(prepared.graph, prepared.graph.block.inputs[k], tensor);
    prepared.inputs.erase(prepared.inputs.begin() + static_cast<std::ptrdiff_t>(k));
    return true;
  }
  return false;
}

// Lowers, holding inputs one by one as long as the contents of one are missing.
Lowered lower_holding(Prepared& prepared, const LowerOptions& options) {
  for (;;) {
    try {
      return lower(prepared.graph, options);
    } catch (const Refused& refused) {
      const bool unknown = refused.diagnostics.front().rule.starts_with("dynamic-");
      if (!unknown || !hold_last(prepared)) throw;
    }
  }
}

// The project's older data keep bf16 as u16.
HostTensor read_as(const Tensor& tensor, Type declared) {
  if (tensor.type == Type::string) {
    std::vector<int64_t> shape = tensor.shape;
    shape.push_back(LowerOptions{}.string_bytes);
    return to_tensor(Type::u8, shape, bytes_of(tensor.strings, shape.back()));
  }
  HostTensor host = to_host(tensor);
  if (host.type == Type::u16 && declared == Type::bf16) host.type = Type::bf16;
  return host;
}

// The table's tolerance is for whole networks; single operators are held to less. The expanded
// window functions are not: the project's function bodies write pi as 3.1415; RoiAlign's are not:
// its expected values have four decimals.
Tolerance tolerance_of(const std::string& folder, Type type, Roundings roundings) {
  Tolerance tolerance = default_tolerance(type, roundings);
  const bool inexact =
      folder.find("window") != std::string::npos || folder.find("roialign") != std::string::npos;
  if (type == Type::f32 && !inexact) tolerance.relative /= 5;
  return tolerance;
}

// `parameter`: the place of the distribution's parameter among the results, 0: there is none.
std::string fault_of_draws(const OutputDraw& draw, const RunResult& run, size_t k, size_t parameter,
                           const HostTensor& wanted, const CaseOptions& options) {
  const std::string mismatch = compare(run.outputs.at(k), wanted).mismatch;
  if (!mismatch.empty() || !draw.distribution || options.fuse) return mismatch;
  const DrawTest test = test_draws(*draw.distribution, run.outputs.at(k),
                                   parameter ? &run.outputs.at(parameter) : nullptr);
  return test.agrees() ? "" : "another distribution: " + test.fault;
}

CaseResult run_data_set(const Graph& graph, const std::string& folder, const CaseOptions& options) {
  const DataSet set = read_data_set(folder, model_of(folder));
  Prepared prepared{graph, set.inputs, {}};
  prepared.inputs.resize(graph.block.inputs.size());
  Lowered lowered = lower_holding(prepared, options.lower);
  const std::vector<OutputDraw> draws = output_draws(lowered);
  const std::vector<PackedValue> packed = lowered.packed_outputs;
  KernelGraph kernels = std::move(lowered.graph);
  const size_t outputs = kernels.outputs.size();
  std::vector<size_t> parameters(outputs);  // of distributions: their places among the results
  for (size_t k = 0; k < outputs && !options.fuse; ++k) {
    const ValueId id = draws[k].distribution ? draws[k].distribution->parameter : kNoValue;
    if (id == kNoValue) continue;
    parameters[k] = kernels.outputs.size();
    kernels.outputs.push_back(id);
  }
  const std::vector<Roundings> roundings = output_roundings(prepared.graph, kernels);
  if (options.fuse) kernels = fuse(std::move(kernels), *options.fuse);

  std::vector<HostTensor> inputs;
  std::vector<std::vector<int64_t>> shapes;
  for (size_t k = 0; k < prepared.inputs.size(); ++k) {
    const auto& input = prepared.inputs[k];
    const ValueId id = kernels.inputs[k];
    if (!input) return {Outcome::refused, "data", "an input has no tensor", prepared.held};
    inputs.push_back(read_as(input->tensor, kernels.values[static_cast<size_t>(id)].type));
    shapes.push_back(inputs.back().shape);
  }
  const std::map<std::string, int64_t> sizes = bind_symbols(kernels, shapes);
  const RunResult run = interpret(kernels, inputs, sizes);
  CaseResult result;
  result.held = prepared.held;
  if (run.status != kRunOk) {
    result.outcome = Outcome::failed;
    result.message = run.message;
    return result;
  }
  const std::vector<std::optional<HostTensor>> all = read_outputs(kernels, packed, set, sizes);
  for (size_t k = 0; k < all.size(); ++k) {
    if (!all[k]) continue;
    const HostTensor& wanted = *all[k];
    if (draws.at(k).depends) {
      // Its elements are those of the generator; the data say type and shape.
      const std::string wrong = fault_of_draws(draws[k], run, k, parameters[k], wanted, options);
      if (wrong.empty()) continue;
      result.outcome = Outcome::failed;
      result.message = "output " + std::to_string(k) + ": " + wrong;
      continue;
    }
    const Difference difference =
        compare(run.outputs.at(k), wanted, tolerance_of(folder, wanted.type, roundings.at(k)));
    if (difference.agrees()) continue;
    if (is_open_case(folder) && difference.mismatch.empty()) {
      if (result.outcome == Outcome::passed) result.outcome = Outcome::open;
      continue;
    }
    result.outcome = Outcome::failed;
    result.message = "output " + std::to_string(k) + " " + to_string(difference);
  }
  return result;
}

}  // namespace

Graph import_case(const std::string& folder, int64_t least_size) {
  ImportOptions options;
  options.least_size = least_size;
  const std::vector<std::string> sets = data_sets_of(folder);
  const Interface interface = import_interface(folder + "/model.onnx");
  const bool contained = std::any_of(interface.inputs.begin(), interface.inputs.end(),
                                     [](const auto& containers) { return !containers.empty(); });
  if (contained && !sets.empty())
    options.contents = read_data_set(sets[0], model_of(sets[0])).contents;
  return import_model(folder + "/model.onnx", options);
}

bool is_open_case(const std::string& folder) {
  return folder.find("test_adam_multiple") != std::string::npos;
}

namespace {

// Tables of extents that the import added: how many sizes an item has is a number.
std::set<GraphValueId> tables_of_extents(const Block& block) {
  std::set<GraphValueId> out;
  for (const Node& node : block.nodes) {
    if (node.op == kItemsOp && node.inputs.size() > 1) out.insert(node.inputs[1]);
  }
  return out;
}

}  // namespace

Graph with_symbolic_extents(const Graph& given) {
  Graph graph = given;
  const std::set<GraphValueId> tables = tables_of_extents(given.block);
  for (GraphValue& value : graph.values) {
    if (!value.constant) value.shape.reset();
  }
  for (const GraphValueId id : graph.block.inputs) {
    const GraphValue& input = given.values[static_cast<size_t>(id)];
    if (!input.shape) continue;
    std::vector<Dim> shape = *input.shape;
    const size_t open = tables.count(id) ? 1 : shape.size();
    for (size_t d = 0; d < open; ++d) {
      if (!shape[d].is_constant() || shape[d].constant() < 2) continue;
      SymbolInfo symbol;
      symbol.name = "n" + std::to_string(graph.symbols.size());
      symbol.origin = SymbolOrigin::param;
      symbol.min = 1;
      symbol.max = kUnbounded;
      symbol.hint = shape[d].constant();
      graph.symbols.push_back(std::make_shared<const SymbolInfo>(std::move(symbol)));
      shape[d] = Index::symbol(graph.symbols.back());
    }
    graph.values[static_cast<size_t>(id)].shape = std::move(shape);
  }
  return graph;
}

FuseOptions fuse_options_of_a_cpu() {
  return fuse_options({}, project_hardware("cpp-generic"), true);
}

std::vector<FuseOptions> fuse_options_with_one_off() {
  std::vector<FuseOptions> out;
  FuseOptions none = fuse_options_of_a_cpu();
  for (const FuseSwitch& one : fuse_switches()) {
    out.emplace_back(fuse_options_of_a_cpu()).*one.on = false;
    none.*one.on = false;
  }
  out.push_back(none);
  return out;
}

std::optional<Lowered> lower_onnx_case(const std::string& folder, bool symbolic, bool hold) {
  try {
    const Graph graph = import_case(folder);
    Prepared prepared{symbolic ? with_symbolic_extents(graph) : graph, {}, {}};
    try {
      return lower(prepared.graph, {});
    } catch (const Refused& refused) {
      if (!hold || !refused.diagnostics.front().rule.starts_with("dynamic-")) return std::nullopt;
    }
    const std::vector<std::string> sets = data_sets_of(folder);
    if (sets.empty()) return std::nullopt;
    prepared.inputs = read_data_set(sets[0], model_of(sets[0])).inputs;
    prepared.inputs.resize(graph.block.inputs.size());
    return lower_holding(prepared, {});
  } catch (const Refused&) {
    return std::nullopt;
  }
}

namespace {

CaseResult run_with_sizes_from(int64_t least_size, const std::string& folder,
                               const CaseOptions& options) {
  try {
    Graph graph = import_case(folder, least_size);
    if (options.symbolic) graph = with_symbolic_extents(graph);
    try {
      lower(graph, options.lower);
    } catch (const Refused& refused) {
      // Before the data are read: those of an unsupported type cannot be.
      if (of_refusal(refused).outcome == Outcome::unsupported) throw;
    }
    CaseResult all;
    for (const std::string& set : data_sets_of(folder)) {
      all = run_data_set(graph, set, options);
      if (all.outcome != Outcome::passed && all.outcome != Outcome::open) return all;
    }
    return all;
  } catch (const Refused& refused) {
    return of_refusal(refused);
  } catch (const std::exception& error) {
    return {Outcome::failed, {}, error.what(), {}};
  }
}

}  // namespace

CaseResult run_onnx_case(const std::string& folder, const CaseOptions& options) {
  const CaseResult result = run_with_sizes_from(1, folder, options);
  // Data may be empty.
  const bool too_small = result.rule == "out-of-range" || result.rule == "shape-mismatch";
  return too_small ? run_with_sizes_from(0, folder, options) : result;
}

}  // namespace burin

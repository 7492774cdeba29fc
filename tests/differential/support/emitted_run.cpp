#include "differential/support/emitted_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "import/dims.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "report/compare.h"
#include "support/diagnostics.h"
#include "support/onnx_writer.h"
#include "verify/build.h"
#include "verify/driver.h"
#include "verify/shared_objects.h"

namespace burin {
namespace {

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Elements of few bits take a byte each in a tree (fuse/constants/unpack.h).
HostTensor as_in_tree(const HostTensor& tensor) {
  if (!is_packed(tensor.type)) return tensor;
  const Type whole = is_signed(tensor.type) ? Type::i8 : Type::u8;
  HostTensor bytes = make_tensor(is_float(tensor.type) ? Type::f8e4m3fn : whole, tensor.shape);
  for (int64_t k = 0; k < tensor.elements(); ++k) bytes.set(k, tensor.get(k));
  return bytes;
}

CompileOptions options_in(const std::string& folder) {
  CompileOptions options;
  options.model = folder + "/model.onnx";
  options.weights = WeightsMode::embed;
  return options;
}

// The file that compile() asks for has another model.
Compiled compile_graph(const Graph& graph, const std::string& folder, const char* hardware) {
  CompileOptions options = options_in(folder);
  options.adjust = [&](const Graph&) { return graph; };
  write_bytes(options.model,
              onnx_writer::model(onnx_writer::graph(onnx_writer::relu_parts())).bytes());
  return compile(options, project_hardware(hardware));
}

}  // namespace

EmittedProgram::EmittedProgram(const std::string& model, const EmittedOptions& given) {
  CompileOptions options = options_in(scratch_->path());
  options.lower.strict = given.strict;
  for (const std::string& dim : given.dims) options.import.dims.push_back(parse_dim_binding(dim));
  write_bytes(options.model, model);
  Hardware hardware = project_hardware(given.hardware);
  if (given.threads > 0) {
    hardware.threads_max = given.threads;
    hardware.thread_start_us = 0;
  }
  compiled_ = compile(options, hardware);
  OtherDims others;
  LowerOptions lowering;
  const Graph graph = import_model(options.model, options.import, &others);
  for (const DimBinding& other : others.bindings)
    lowering.bounds.push_back({other.name, {}, other.max, other.hint});
  lowered_ = lower(graph, lowering).graph;
  build(given);
}

EmittedProgram::EmittedProgram(const Graph& graph, const EmittedOptions& options) {
  compiled_ = compile_graph(graph, scratch_->path(), options.hardware);
  lowered_ = lower(graph, {}).graph;
  build(options);
}

bool EmittedProgram::compiles(const Graph& graph) {
  try {
    compile_graph(graph, ScratchFolder().path(), EmittedOptions().hardware);
    return true;
  } catch (const Refused&) {
    return false;
  }
}

void EmittedProgram::build(const EmittedOptions& options) {
  const std::string& folder = scratch_->path();
  const cpp::EmittedTree emitted = emit_tree(compiled_.plan);
  write_tree(emitted.tree, folder + "/tree", emitted.manifest);
  for (const DriverFile& file : driver_files(compiled_.plan))
    write_bytes(folder + "/" + file.name, file.bytes);
  std::vector<std::string> sources;
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp")) sources.push_back(path);
  }
  const Hardware hardware = project_hardware(options.hardware);
  runner_ = hardware.runner;
  BuildOptions build{hardware.compilers.front()};
  build.fast = true;
  build.sanitize = options.sanitize;
  build.flags = options.flags;
  static SharedObjects shared;
  build.shared = &shared;
  program_ = build_program(folder + "/tree", sources, folder, build);
}

std::map<std::string, int64_t> EmittedProgram::symbols(
    const std::vector<HostTensor>& inputs) const {
  std::vector<std::vector<int64_t>> shapes;
  for (const HostTensor& input : inputs) shapes.push_back(input.shape);
  return bind_symbols(compiled_.plan.graph, shapes);
}

RunOutcome EmittedProgram::run(const std::vector<HostTensor>& inputs,
                               const std::vector<int64_t>& capacities) const {
  Run run;
  run.symbols = symbols(inputs);
  run.inputs = inputs;
  run.capacities = capacities;
  return execute(run);
}

RunOutcome EmittedProgram::run_for(const std::vector<HostTensor>& inputs,
                                   const std::vector<std::vector<int64_t>>& wanted) const {
  Run run;
  run.symbols = symbols(inputs);
  run.inputs = inputs;
  run.wanted = wanted;
  return execute(run);
}

RunOutcome EmittedProgram::run_at(const std::map<std::string, int64_t>& symbols) const {
  const KernelGraph& graph = compiled_.plan.graph;
  Run run;
  run.symbols = symbols;
  run.capacities.assign(graph.outputs.size(), 64);  // of those whose sizes the run finds
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) {
      shape.push_back(std::max<int64_t>(
          0, dim.evaluate([&](const Index& leaf) { return symbols.at(leaf.as_symbol()->name); })));
    }
    HostTensor tensor = make_tensor(value.type, shape);
    for (int64_t k = 0; k < tensor.elements(); ++k)
      tensor.set(k, {static_cast<double>(k % 5), k % 3});
    run.inputs.push_back(std::move(tensor));
  }
  return execute(run);
}

// Every second run has a parallel_for (verify/driver.cpp).
std::vector<RunOutcome> EmittedProgram::run_in_parts(const std::vector<HostTensor>& inputs) const {
  Run run;
  run.symbols = symbols(inputs);
  run.inputs = inputs;
  return execute(std::vector<Run>{run, run});
}

RunOutcome EmittedProgram::execute(const Run& run) const {
  const std::vector<RunOutcome> outcomes = execute(std::vector<Run>{run});
  return outcomes.empty() ? RunOutcome{} : outcomes.front();
}

std::vector<RunOutcome> EmittedProgram::execute(std::vector<Run> runs) const {
  for (Run& run : runs) {
    for (HostTensor& input : run.inputs) input = as_in_tree(input);
    run.fill = 0x5A;
  }
  const std::string request = scratch_->path() + "/request", response = request + ".out";
  write_bytes(request, encode_request(compiled_.plan, runs));
  std::vector<std::string> command = runner_;
  command.insert(command.end(), {program_, request, response});
  const ProcessResult result = run_process(command, 60);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  if (result.exit_code != 0) return {};
  std::ifstream in(response, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<RunOutcome> outcomes = decode_response(compiled_.plan, runs, bytes);
  for (const RunOutcome& outcome : outcomes) EXPECT_EQ(describe_faults(outcome.faults), "");
  return outcomes;
}

RunResult EmittedProgram::expected(const std::vector<HostTensor>& inputs) const {
  return interpret(lowered_, inputs, symbols(inputs));
}

void EmittedProgram::expect_agrees(const std::vector<HostTensor>& inputs) const {
  const RunResult want = expected(inputs);
  ASSERT_EQ(want.status, kRunOk) << want.message;
  std::vector<std::vector<int64_t>> shapes;
  for (const HostTensor& output : want.outputs) shapes.push_back(output.shape);
  const RunOutcome got = run_for(inputs, shapes);
  ASSERT_EQ(got.status, 0) << got.explained;
  ASSERT_EQ(got.outputs.size(), want.outputs.size());
  for (size_t k = 0; k < want.outputs.size(); ++k) {
    const std::string& name = lowered_.values[static_cast<size_t>(lowered_.outputs[k])].name;
    const HostTensor wanted = as_in_tree(want.outputs[k]);
    EXPECT_EQ(got.outputs[k].shape, wanted.shape) << name;
    const Difference difference =
        compare(got.outputs[k], wanted,
                default_tolerance(wanted.type, compiled_.plan.output_roundings.at(k)));
    EXPECT_TRUE(difference.agrees()) << name << ": " << to_string(difference);
  }
}

}  // namespace burin

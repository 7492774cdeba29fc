#include "differential/support/emitted_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "backends/cpp/emit.h"
#include "differential/support/emitted.h"
#include "import/dims.h"
#include "kernel/interpreter.h"
#include "lower/lower.h"
#include "report/compare.h"
#include "verify/build.h"
#include "verify/driver.h"

namespace burin {
namespace {

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

EmittedProgram::EmittedProgram(const std::string& model, const std::vector<std::string>& dims) {
  const std::string& folder = scratch_->path();
  CompileOptions options;
  options.model = folder + "/model.onnx";
  options.weights = WeightsMode::embed;
  for (const std::string& dim : dims) options.import.dims.push_back(parse_dim_binding(dim));
  write_bytes(options.model, model);
  const Hardware hardware = project_hardware("cpp-generic");
  compiled_ = compile(options, hardware);
  OtherDims others;
  LowerOptions lowering;
  const Graph graph = import_model(options.model, options.import, &others);
  for (const DimBinding& other : others.bindings)
    lowering.bounds.push_back({other.name, {}, other.max, other.hint});
  lowered_ = lower(graph, lowering).graph;

  const cpp::EmittedTree emitted = cpp::emit(compiled_.plan);
  write_tree(emitted.tree, folder + "/tree", emitted.manifest);
  for (const DriverFile& file : driver_files(compiled_.plan))
    write_bytes(folder + "/" + file.name, file.bytes);
  std::vector<std::string> sources;
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp")) sources.push_back(path);
  }
  BuildOptions build{hardware.compilers.front()};
  build.fast = build.sanitize = true;
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
  run.fill = 0x5A;
  const std::string request = scratch_->path() + "/request", response = request + ".out";
  write_bytes(request, encode_request(compiled_.plan, {run}));
  const ProcessResult result = run_process({program_, request, response}, 60);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  if (result.exit_code != 0) return {};
  std::ifstream in(response, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  RunOutcome outcome = decode_response(compiled_.plan, {run}, bytes).at(0);
  EXPECT_EQ(describe_faults(outcome.faults), "");
  return outcome;
}

RunResult EmittedProgram::expected(const std::vector<HostTensor>& inputs) const {
  return interpret(lowered_, inputs, symbols(inputs));
}

void EmittedProgram::expect_agrees(const std::vector<HostTensor>& inputs) const {
  const RunResult want = expected(inputs);
  ASSERT_EQ(want.status, kRunOk) << want.message;
  const RunOutcome got = run(inputs);
  ASSERT_EQ(got.status, 0) << describe_status(got.status);
  ASSERT_EQ(got.outputs.size(), want.outputs.size());
  for (size_t k = 0; k < want.outputs.size(); ++k) {
    const std::string& name = lowered_.values[static_cast<size_t>(lowered_.outputs[k])].name;
    EXPECT_EQ(got.outputs[k].shape, want.outputs[k].shape) << name;
    const Difference difference =
        compare(got.outputs[k], want.outputs[k], default_tolerance(want.outputs[k].type));
    EXPECT_TRUE(difference.agrees()) << name;
  }
}

}  // namespace burin

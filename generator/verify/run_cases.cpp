#include "verify/run_cases.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "backends/emit.h"
#include "hardware/capabilities.h"
#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/drawn.h"
#include "verify/driver.h"
#include "verify/exchange.h"
#include "verify/state_rooms.h"
#include "verify/tool.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

// Memory holds these before the two runs on each data set: an ordinary number and NaN, as floats.
constexpr uint8_t kFills[] = {0x5A, 0xFF};
constexpr double kRunSeconds = 1200;

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) refuse("io", "cannot write " + burin::quoted(path));
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string problem_of(const RunOutcome& outcome) {
  std::string problem = describe_faults(outcome.faults);
  if (outcome.status == 0) return problem;
  return "the run returned status " + std::to_string(outcome.status) + " (" + outcome.explained +
         ")" + (problem.empty() ? "" : ", " + problem);
}

// Of init, where there is no device that could run the tree.
void expect_a_device(const ModelPlan& plan, const std::vector<RunOutcome>& outcomes) {
  constexpr int32_t kFirst = 100, kEnd = 200;  // runtime_min/opencl/errors.h
  if (!has_device(plan.hardware)) return;
  for (const RunOutcome& outcome : outcomes) {
    if (outcome.status >= kFirst && outcome.status < kEnd)
      throw ToolFailed("nothing ran: " + outcome.explained + " (status " +
                       std::to_string(outcome.status) + ")");
  }
}

DataSetVerdict judge(const Compiled& compiled, const NamedCase& named,
                     const std::vector<RunOutcome>& outcomes, const VerifyOptions& options) {
  const ModelPlan& plan = compiled.plan;
  const DataCase& one = named.data;
  DataSetVerdict verdict;
  verdict.path = named.path;
  verdict.arena_bytes = outcomes[0].arena_bytes;
  if (has_device(plan.hardware)) {
    verdict.device_bytes = evaluate(plan.memory, plan.device.total(), [&](const Symbol& symbol) {
      return one.run.symbols.at(symbol->name);
    });
  }
  for (const RunOutcome& outcome : outcomes) {
    if (verdict.problem.empty()) verdict.problem = problem_of(outcome);
  }
  if (!verdict.problem.empty()) return verdict;
  if (outcomes[0].outputs != outcomes[1].outputs)
    verdict.problem =
        compiled.states.empty()
            ? "the results depend on what the memory held before the run, or on how threads share "
              "it"
            : "the results depend on what the memory held before the run, on how threads share it, "
              "or on whether a state is one buffer or two";
  const std::optional<DrawnRun> drawn = DrawnRun::of(compiled, one.run);
  std::vector<HostTensor> floats;
  if (options.accuracy) floats = float_results(compiled, one.run);
  for (size_t k = 0; k < one.wanted.size(); ++k) {
    const std::string& name = plan.graph.values[static_cast<size_t>(plan.graph.outputs[k])].name;
    if (!one.wanted[k]) {
      if (verdict.problem.empty())
        verdict.problem = "nothing says what output " + burin::quoted(name) +
                          " should be (output_" + std::to_string(k) + ".pb)";
      continue;
    }
    const HostTensor& got = outcomes[0].outputs[k];
    Tolerance tolerance = output_tolerance(plan, k, one.wanted[k]->type, one.of_interpreter);
    if (options.tolerance && is_float(got.type)) tolerance.relative = *options.tolerance;
    OutputVerdict output;
    if (drawn && drawn->concerns(k)) {
      output = drawn->judge(k, got, *one.wanted[k], tolerance);
    } else {
      HostTensor wanted = *one.wanted[k];
      output.tolerance = tolerance;
      output.left = take_what_was_left(compiled, k, one.run.inputs, got, wanted);
      output.difference = compare(got, wanted, tolerance);
    }
    output.name = name;
    if (options.accuracy) {
      output.accuracy = k < floats.size() ? accuracy_of(got, floats[k], "interpreter, f32")
                        : one.wanted[k]->type == Type::f32
                            ? accuracy_of(got, *one.wanted[k], "data")
                            : Accuracy{};
    }
    verdict.outputs.push_back(std::move(output));
  }
  return verdict;
}

// The program reads a file of weights from its start.
std::string own_weights(const WeightsFile& weights, const std::string& folder) {
  if (weights.offset < 0) return weights.path;
  std::ifstream in(weights.path, std::ios::binary);
  in.seekg(weights.offset);
  std::string bytes(static_cast<size_t>(weights.bytes), '\0');
  if (!in.read(bytes.data(), weights.bytes))
    refuse("io", "cannot read " + burin::quoted(weights.path));
  const std::string path = folder + "/weights.bin";
  write_file(path, bytes);
  return path;
}

}  // namespace

Tolerance output_tolerance(const ModelPlan& plan, size_t output, Type type, bool of_interpreter) {
  constexpr double kBytesOff = 1.0 / 256;
  if (plan.fp16.use != Fp16Use::off && is_float(type) && size_bits(type) > 16)
    return default_tolerance(Type::f16);
  // One rounding to a half may be left out, too.
  if (plan.narrowest_output_types.at(output) != Type::none && is_float(type) &&
      size_bits(type) > 16)
    return default_tolerance(plan.narrowest_output_types.at(output));
  Tolerance out = default_tolerance(type, plan.output_roundings.at(output));
  if (size_bits(type) == 8 && type != Type::boolean &&
      plan.output_roundings.at(output) == Roundings::many) {
    out.absolute = 1;
    out.share = of_interpreter ? kBytesOff : 1;
  }
  return out;
}

BuildOptions build_options(const VerifyOptions& options) {
  BuildOptions build{find_compiler(options)};
  build.fast = options.fast;
  build.sanitize = options.sanitize;
  build.flags = options.flags;
  build.jobs = options.jobs;
  build.shared = options.shared;
  if (!options.sanitize) build.pack = options.pack;
  return build;
}

void write_driver(const ModelPlan& plan, const std::string& folder) {
  for (const DriverFile& file : driver_files(plan))
    write_file(folder + "/" + file.name, file.bytes);
}

std::string make_program(const ModelPlan& plan, const std::string& folder,
                         const VerifyOptions& options) {
  const cpp::EmittedTree emitted = emit_tree(plan);
  write_tree(emitted.tree, folder + "/tree", emitted.manifest);
  write_driver(plan, folder);
  std::vector<std::string> sources;
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp")) sources.push_back(path);
  }
  return build_program(folder + "/tree", sources, folder, build_options(options));
}

WeightsFile weights_of(const ModelPlan& plan, const std::string& tree) {
  WeightsFile out;
  if (plan.weights == WeightsMode::blob)
    out.path = tree + "/" + cpp::name_everything(plan).places.weights;
  return out;
}

std::vector<RunOutcome> run_program(const ModelPlan& plan, const std::vector<Run>& runs,
                                    const std::string& program, const WeightsFile& weights,
                                    const std::string& folder, const VerifyOptions& options) {
  const std::string request = folder + "/request.bin", response = folder + "/response.bin";
  write_file(request, encode_request(plan, runs));
  std::vector<std::string> arguments = {request, response};
  if (plan.weights == WeightsMode::blob) {
    const std::string file = own_weights(weights, folder);
    arguments.push_back(file);
    arguments.push_back(std::to_string(fs::file_size(file)));
  }
  const std::vector<std::string> command = options.hardware.command_of(program, arguments);
  const ProcessResult result = run_process(command, kRunSeconds);
  if (result.exit_code != 0) throw tool_failure(command, result);
  std::vector<RunOutcome> outcomes = decode_response(plan, runs, read_file(response));
  expect_a_device(plan, outcomes);
  return outcomes;
}

std::vector<DataSetVerdict> run_cases(const Compiled& compiled, const std::vector<NamedCase>& cases,
                                      const std::string& program, const WeightsFile& weights,
                                      const std::string& folder, const VerifyOptions& options) {
  const ModelPlan& plan = compiled.plan;
  std::vector<Run> runs;
  for (const NamedCase& one : cases) {
    for (const uint8_t fill : kFills) {
      runs.push_back(one.data.run);
      runs.back().fill = fill;
      runs.back().in_one_buffer = fill == kFills[1];
    }
  }
  const std::vector<RunOutcome> outcomes =
      run_program(plan, runs, program, weights, folder, options);
  constexpr size_t kRuns = std::size(kFills);
  std::vector<DataSetVerdict> verdicts;
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto first = outcomes.begin() + static_cast<std::ptrdiff_t>(i * kRuns);
    verdicts.push_back(judge(compiled, cases[i], {first, first + kRuns}, options));
  }
  return verdicts;
}

}  // namespace burin

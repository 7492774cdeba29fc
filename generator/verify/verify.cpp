#include "verify/verify.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "backends/emit.h"
#include "kernel/interpreter.h"
#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/drawn.h"
#include "verify/driver.h"
#include "verify/exchange.h"
#include "verify/hold_inputs.h"
#include "verify/read_case.h"
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

std::string without(std::string text, const std::string& part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

std::vector<std::string> data_folders(const VerifyOptions& options) {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    const std::vector<std::string> inside = data_sets_of(folder);
    if (inside.empty()) folders.push_back(folder);
    folders.insert(folders.end(), inside.begin(), inside.end());
  };
  for (const std::string& folder : options.data) add(folder);
  if (!options.data.empty()) return folders;
  folders = data_sets_of(fs::path(options.compile.model).parent_path().string());
  if (folders.empty())
    refuse("io", "no test_data_set_<n> folder beside " + burin::quoted(options.compile.model),
           "name one with --data");
  return folders;
}

std::string problem_of(const RunOutcome& outcome) {
  std::string problem = describe_faults(outcome.faults);
  if (outcome.status == 0) return problem;
  return "the run returned status " + std::to_string(outcome.status) + " (" +
         describe_status(outcome.status) + ")" + (problem.empty() ? "" : ", " + problem);
}

DataSetVerdict judge(const Compiled& compiled, const DataSet& set, const DataCase& one,
                     const std::vector<RunOutcome>& outcomes) {
  const ModelPlan& plan = compiled.plan;
  DataSetVerdict verdict;
  verdict.path = set.path;
  verdict.arena_bytes = outcomes[0].arena_bytes;
  for (const RunOutcome& outcome : outcomes) {
    if (verdict.problem.empty()) verdict.problem = problem_of(outcome);
  }
  if (!verdict.problem.empty()) return verdict;
  if (outcomes[0].outputs != outcomes[1].outputs)
    verdict.problem =
        "the results depend on what the memory held before the run, or on how threads share it";
  const std::optional<DrawnRun> drawn = DrawnRun::of(compiled, one.run);
  for (size_t k = 0; k < one.wanted.size(); ++k) {
    const std::string& name = plan.graph.values[static_cast<size_t>(plan.graph.outputs[k])].name;
    if (!one.wanted[k]) {
      if (verdict.problem.empty())
        verdict.problem = "nothing says what output " + burin::quoted(name) +
                          " should be (output_" + std::to_string(k) + ".pb)";
      continue;
    }
    const HostTensor& got = outcomes[0].outputs[k];
    const Tolerance tolerance = default_tolerance(one.wanted[k]->type, plan.output_roundings.at(k));
    OutputVerdict output;
    if (drawn && drawn->concerns(k)) {
      output = drawn->judge(k, got, *one.wanted[k], tolerance);
    } else {
      output.tolerance = tolerance;
      output.difference = compare(got, *one.wanted[k], tolerance);
    }
    output.name = name;
    verdict.outputs.push_back(std::move(output));
  }
  return verdict;
}

// Emits into `folder`/tree and builds `folder`/program; returns the program.
std::string make_program(const ModelPlan& plan, const std::string& folder,
                         const VerifyOptions& options) {
  const cpp::EmittedTree emitted = emit_tree(plan);
  write_tree(emitted.tree, folder + "/tree", emitted.manifest);
  for (const DriverFile& file : driver_files(plan))
    write_file(folder + "/" + file.name, file.bytes);
  std::vector<std::string> sources;
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp")) sources.push_back(path);
  }
  const BuildOptions build{find_compiler(options), options.fast, options.sanitize, options.flags,
                           options.jobs};
  return build_program(folder + "/tree", sources, folder, build);
}

void verify_tree(const Compiled& compiled, const std::vector<DataSet>& sets,
                 const CompileOptions& compiled_with, const std::string& folder,
                 const VerifyOptions& options, Verdict& verdict) {
  const ModelPlan& plan = compiled.plan;
  std::vector<DataCase> cases;
  std::vector<Run> runs;
  for (const DataSet& set : sets) {
    cases.push_back(
        located({.file = set.path}, [&] { return read_case(plan, set, compiled_with); }));
    for (const uint8_t fill : kFills) {
      runs.push_back(cases.back().run);
      runs.back().fill = fill;
    }
  }
  const std::string program = make_program(plan, folder, options);
  const std::string request = folder + "/request.bin", response = folder + "/response.bin";
  write_file(request, encode_request(plan, runs));
  std::vector<std::string> command = options.hardware.runner;
  for (const std::string& part : {program, request, response}) command.push_back(part);
  if (plan.weights == WeightsMode::blob) {
    const std::string weights =
        folder + "/tree/weights/" + cpp::name_everything(plan).model.text() + ".bin";
    command.push_back(weights);
    command.push_back(std::to_string(fs::file_size(weights)));
  }
  const ProcessResult result = run_process(command, kRunSeconds);
  if (result.exit_code != 0) throw tool_failure(command, result);
  const std::vector<RunOutcome> outcomes = decode_response(plan, runs, read_file(response));
  constexpr size_t kRuns = std::size(kFills);
  for (size_t i = 0; i < sets.size(); ++i) {
    const auto first = outcomes.begin() + static_cast<std::ptrdiff_t>(i * kRuns);
    verdict.data_sets.push_back(judge(compiled, sets[i], cases[i], {first, first + kRuns}));
  }
}

}  // namespace

const Compiler& find_compiler(const VerifyOptions& options) {
  if (options.hardware.compilers.empty())
    refuse("no-compiler",
           "hardware " + burin::quoted(options.hardware.name) + " names no compiler");
  if (options.compiler.empty()) return options.hardware.compilers.front();
  if (const Compiler* found = options.hardware.find_compiler(options.compiler)) return *found;
  std::string known;
  for (const Compiler& one : options.hardware.compilers)
    known += (known.empty() ? "" : ", ") + one.name;
  refuse("no-compiler",
         "hardware " + burin::quoted(options.hardware.name) + " has no compiler " +
             burin::quoted(options.compiler),
         "it has " + known);
}

bool DataSetVerdict::agrees() const {
  return problem.empty() && std::all_of(outputs.begin(), outputs.end(),
                                        [](const auto& output) { return output.agrees(); });
}

bool Verdict::agrees() const {
  return std::all_of(data_sets.begin(), data_sets.end(),
                     [](const auto& set) { return set.agrees(); });
}

Verdict verify(const VerifyOptions& options) {
  Verdict verdict{
      options.compile.model, options.hardware.name, find_compiler(options).name, {}, {}};
  std::unique_ptr<ScratchFolder> scratch;
  if (options.keep.empty()) scratch = std::make_unique<ScratchFolder>();
  const std::string folder = scratch ? scratch->path() : options.keep;
  fs::create_directories(folder);
  const auto read_sets = [&] {
    std::vector<DataSet> sets;
    for (const std::string& path : data_folders(options))
      sets.push_back(read_data_set(path, options.compile.model));
    return sets;
  };
  // Messages do not name the scratch folder, which differs from run to run.
  const auto run = [&](const Compiled& compiled, const std::vector<DataSet>& sets,
                       const CompileOptions& with, const std::string& own) {
    try {
      verify_tree(compiled, sets, with, own, options, verdict);
    } catch (const ToolFailed& failed) {
      throw ToolFailed(scratch ? without(failed.what(), own + "/") : failed.what());
    }
  };
  try {
    // Before the data are read: a model that is refused is the better message.
    const Compiled compiled = compile(options.compile, options.hardware);
    run(compiled, read_sets(), options.compile, folder);
  } catch (const Refused& refused) {
    if (!options.hold_inputs || !needs_held_input(refused)) throw;
    // What is held differs from one data set to the next, and so do the trees.
    for (const DataSet& set : read_sets()) {
      CompileOptions with = options.compile;
      const Compiled compiled = compile_holding(with, options.hardware, set);
      verdict.held.clear();
      for (const auto& [place, tensor] : with.held)
        verdict.held += (verdict.held.empty() ? "" : ", ") + set.inputs[place]->name;
      const std::string own = folder + "/" + std::to_string(verdict.data_sets.size());
      fs::create_directories(own);
      run(compiled, {set}, with, own);
    }
  }
  return verdict;
}

}  // namespace burin

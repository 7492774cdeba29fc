#include "verify/verify.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "backends/emit.h"
#include "kernel/interpreter/interpreter.h"
#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/driver.h"
#include "verify/hold_inputs.h"
#include "verify/layers.h"
#include "verify/made_up.h"
#include "verify/read_case.h"
#include "verify/run_cases.h"
#include "verify/tool.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

std::string without(std::string text, const std::string& part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

void verify_tree(const Compiled& compiled, const std::vector<DataSet>& sets,
                 const CompileOptions& compiled_with, const std::string& folder,
                 const VerifyOptions& options, const std::vector<Layer>& layers, Verdict& verdict) {
  const ModelPlan& plan = compiled.plan;
  const size_t outputs = plan.graph.outputs.size() - layers.size();
  std::vector<NamedCase> cases;
  for (const DataSet& set : sets) {
    NamedCase one{set.path, located({.file = set.path},
                                    [&] { return read_case(compiled, set, compiled_with); })};
    cases.push_back(options.layers    ? with_all_results(compiled, std::move(one))
                    : options.make_up ? with_results(compiled, std::move(one))
                                      : std::move(one));
  }
  if (sets.empty() && options.make_up) cases = made_up_cases(compiled, compiled_with);
  const std::string program = make_program(plan, folder, options);
  const WeightsFile weights = weights_of(plan, folder + "/tree");
  for (DataSetVerdict& one : run_cases(compiled, cases, program, weights, folder, options)) {
    split_layers(layers, outputs, one);
    verdict.data_sets.push_back(std::move(one));
  }
}

}  // namespace

std::vector<std::string> data_folders(const std::vector<std::string>& data,
                                      const std::string& model) {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    const std::vector<std::string> inside = data_sets_of(folder);
    if (inside.empty()) folders.push_back(folder);
    folders.insert(folders.end(), inside.begin(), inside.end());
  };
  for (const std::string& folder : data) add(folder);
  if (!data.empty()) return folders;
  folders = data_sets_of(fs::path(model).parent_path().string());
  if (folders.empty())
    refuse("io", "no test_data_set_<n> folder beside " + burin::quoted(model),
           "name one with --data");
  return folders;
}

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
  return problem.empty() && !first_that_differs() &&
         std::all_of(outputs.begin(), outputs.end(),
                     [](const auto& output) { return output.agrees(); });
}

const LayerVerdict* DataSetVerdict::first_that_differs() const {
  for (const LayerVerdict& layer : layers) {
    if (!layer.output.agrees()) return &layer;
  }
  return nullptr;
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
    const bool beside = options.data.empty();
    const std::string own = fs::path(options.compile.model).parent_path().string();
    if (beside && options.make_up && data_sets_of(own).empty()) return sets;
    for (const std::string& path : data_folders(options.data, options.compile.model))
      sets.push_back(read_data_set(path, options.compile.model, !options.make_up));
    return sets;
  };
  // Messages do not name the scratch folder, which differs from run to run.
  const auto run = [&](const Compiled& compiled, const std::vector<DataSet>& sets,
                       const CompileOptions& with, const std::string& own,
                       const std::vector<Layer>& layers) {
    try {
      verify_tree(compiled, sets, with, own, options, layers, verdict);
    } catch (const ToolFailed& failed) {
      throw ToolFailed(scratch ? without(failed.what(), own + "/") : failed.what());
    }
  };
  try {
    // Before the data are read: a model that is refused is the better message.
    const Compiled compiled = compile(options.compile, options.hardware);
    const std::vector<Layer> layers =
        options.layers ? layers_of(compiled, options.compile) : std::vector<Layer>();
    if (layers.empty()) {
      run(compiled, read_sets(), options.compile, folder, layers);
    } else {
      const CompileOptions with = with_layers(options.compile, layers);
      run(compile(with, options.hardware), read_sets(), with, folder, layers);
    }
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
      run(compiled, {set}, with, own, {});
    }
  }
  return verdict;
}

}  // namespace burin

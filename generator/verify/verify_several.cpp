#include "verify/verify_several.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "backends/emit.h"
#include "several.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/read_case.h"
#include "verify/run_cases.h"
#include "verify/shared_objects.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

using Cases = std::vector<NamedCase>;

Cases cases_of(const Compiled& compiled, const CompileOptions& options,
               const std::vector<std::string>& data) {
  return located({.file = options.model}, [&] {
    Cases cases;
    for (const std::string& path : data_folders(data, options.model)) {
      const DataSet set = read_data_set(path, options.model);
      cases.push_back(
          {path, located({.file = path}, [&] { return read_case(compiled, set, options); })});
    }
    return cases;
  });
}

// The k-th cases of all models as one.
NamedCase joint_case(const Several& several, const std::vector<Cases>& each, size_t k) {
  NamedCase out;
  std::vector<SampleRun> runs;
  for (const Cases& cases : each) {
    const NamedCase& one = cases[k % cases.size()];
    out.path += (out.path.empty() ? "" : " + ") + one.path;
    runs.push_back({one.data.run.symbols, one.data.run.inputs, {}, {}});
    const auto append = [](auto& to, const auto& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    append(out.data.run.wanted, one.data.run.wanted);
    append(out.data.wanted, one.data.wanted);
    out.data.of_interpreter =
        one.data.of_interpreter && (runs.size() == 1 || out.data.of_interpreter);
  }
  SampleRun joint = several.joint_run(runs);
  out.data.run.symbols = std::move(joint.sizes);
  out.data.run.inputs = std::move(joint.inputs);
  return out;
}

// One network of a tree, and what it is tried on.
struct Trial {
  const Compiled* compiled;
  const CompileOptions* options;
  Cases cases;
};

std::vector<Trial> trials_of(const Several& several, const std::vector<std::string>& data) {
  std::vector<Trial> out;
  std::vector<Cases> each;
  for (size_t i = 0; i < several.models.size(); ++i) {
    const std::vector<std::string> own = data.empty() ? data : std::vector<std::string>{data.at(i)};
    each.push_back(cases_of(several.models[i], several.options[i], own));
    out.push_back({&several.models[i], &several.options[i], each.back()});
  }
  Cases joint;
  size_t count = 0;
  for (const Cases& cases : each) count = std::max(count, cases.size());
  for (size_t k = 0; k < count; ++k) joint.push_back(joint_case(several, each, k));
  out.push_back({&several.joint, &several.joint_options, std::move(joint)});
  return out;
}

}  // namespace

bool SeveralVerdict::agrees() const {
  return std::all_of(models.begin(), models.end(), [](const auto& one) { return one.agrees(); });
}

SeveralVerdict verify_several(const VerifyOptions& options,
                              const std::vector<CompileOptions>& models) {
  const Compiler& compiler = find_compiler(options);
  const Several several = compile_several(models, options.compile, options.hardware);
  const std::vector<Trial> trials = trials_of(several, options.data);
  std::unique_ptr<ScratchFolder> scratch;
  if (options.keep.empty()) scratch = std::make_unique<ScratchFolder>();
  const std::string folder = scratch ? scratch->path() : options.keep;
  fs::create_directories(folder);

  std::vector<const ModelPlan*> plans;
  for (const Compiled& one : several.models) plans.push_back(&one.plan);
  const cpp::EmittedTree emitted = emit_tree(several.joint.plan, plans);
  const std::string tree = folder + "/tree";
  write_tree(emitted.tree, tree, emitted.manifest);
  std::vector<std::string> sources;
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp")) sources.push_back(path);
  }
  SharedObjects shared;
  BuildOptions build = build_options(options);
  build.shared = &shared;
  const std::vector<std::string> objects = build_objects(tree, sources, folder, build);

  const std::vector<cpp::TreePlaces> places = cpp::places_of(several.joint.plan, plans);
  SeveralVerdict out;
  for (size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = trials[i];
    const std::string own = folder + "/" + trial.options->name;
    fs::create_directories(own);
    write_driver(trial.compiled->plan, own);
    std::vector<std::string> parts = objects;
    parts.push_back(driver_object(own, build));
    const std::string program = link_program(tree, parts, own, build);
    const WeightsFile weights{tree + "/" + places[i].weights, places[i].weights_offset,
                              places[i].weights_bytes};
    out.models.push_back({trial.options->name, options.hardware.name, compiler.name, {}, {}});
    out.models.back().data_sets =
        run_cases(*trial.compiled, trial.cases, program, weights, own, options);
  }
  return out;
}

}  // namespace burin

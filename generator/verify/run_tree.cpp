#include "verify/run_tree.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "backends/emit.h"
#include "runtime_min/status.h"
#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/nibbles.h"
#include "verify/run_cases.h"
#include "verify/state_rooms.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

std::string bytes_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Compiles the sources that lie in a tree, which must be those that this network has.
std::string program_of(const ModelPlan& plan, const std::string& tree, const std::string& folder,
                       const VerifyOptions& options) {
  const cpp::EmittedTree emitted = emit_tree(plan);
  std::vector<std::string> sources;
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (!path.starts_with("src/") && !path.starts_with("include/")) continue;
    if (path.ends_with(".cpp")) sources.push_back(path);
    const std::string place = tree + "/" + path;
    if (fs::is_regular_file(place) && (entry.stream || bytes_in(place) == entry.bytes)) continue;
    located({.file = place}, [] {
      refuse("other-tree", "is not what burin makes of this model",
             "burin diff tells what differs, burin regenerate makes the tree again");
    });
  }
  write_driver(plan, folder);
  return build_program(tree, sources, folder, build_options(options));
}

// Outputs that nothing bounds get more room until they fit: 2^16 elements first, 2^28 at last.
RunOutcome in_enough_room(const ModelPlan& plan, Run run, const std::string& program,
                          const WeightsFile& weights, const std::string& folder,
                          const VerifyOptions& options) {
  for (run.room = int64_t{1} << 16;; run.room <<= 6) {
    RunOutcome outcome = run_program(plan, {run}, program, weights, folder, options)[0];
    if (outcome.status != burin_rt::kCapacityExceeded || run.room >= int64_t{1} << 28)
      return outcome;
  }
}

}  // namespace

std::vector<HostTensor> run_tree(const Compiled& compiled, std::vector<HostTensor> inputs,
                                 const VerifyOptions& options, const std::string& tree) {
  const ModelPlan& plan = compiled.plan;
  const ScratchFolder scratch;
  Run run;
  run.symbols = sizes_of(compiled, inputs);
  run.inputs = in_widths_of(plan.graph, plan.graph.inputs, into_rooms(compiled, std::move(inputs)));
  run.in_one_buffer = true;
  run.wanted.resize(plan.graph.outputs.size());
  try {
    const std::string program = tree.empty() ? make_program(plan, scratch.path(), options)
                                             : program_of(plan, tree, scratch.path(), options);
    const std::map<std::string, int64_t> sizes = run.symbols;
    RunOutcome outcome = in_enough_room(
        plan, std::move(run), program,
        weights_of(plan, tree.empty() ? scratch.path() + "/tree" : tree), scratch.path(), options);
    if (outcome.status != 0) refuse("run", "the run stops: " + outcome.explained);
    for (size_t k = 0; k < outcome.outputs.size(); ++k)
      outcome.outputs[k] = out_of_room(compiled, k, std::move(outcome.outputs[k]), sizes);
    return in_widths_of(compiled.lowered, compiled.lowered.outputs, std::move(outcome.outputs));
  } catch (const ToolFailed& failed) {
    // Messages do not name the scratch folder, which differs from run to run.
    std::string said = failed.what();
    for (size_t at; (at = said.find(scratch.path() + "/")) != said.npos;)
      said.erase(at, scratch.path().size() + 1);
    throw ToolFailed(said);
  }
}

}  // namespace burin

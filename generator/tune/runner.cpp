#include "tune/runner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "backends/emit.h"
#include "backends/predictions.h"
#include "hardware/capabilities.h"
#include "hardware/load.h"
#include "support/diagnostics.h"
#include "support/sha256.h"
#include "verify/self_test.h"
#include "verify/tool.h"

namespace burin {
namespace {

constexpr double kNoTime = std::numeric_limits<double>::infinity();
constexpr size_t kKeyDigits = 16;
// Of what is predicted for the untuned tree. Kernels take 1.5 times more or less than predicted
// (tests/bench/README.md, "Predicted and measured"): beyond twice that nothing is to be found out.
constexpr int64_t kHopeless = 3;

// 0 where a word is no time.
double time_of(const std::string& word) {
  double us = 0;
  const auto end = std::from_chars(word.data(), word.data() + word.size(), us);
  const bool whole = end.ec == std::errc() && end.ptr == word.data() + word.size();
  return whole && std::isfinite(us) && us > 0 ? us : 0;
}

// The last word of what a runner printed; 0 where that is no time.
double time_in(const std::string& output) {
  std::istringstream words(output);
  std::string word, last;
  while (words >> word) last = word;
  return time_of(last);
}

// Lines "launch NAME US", by name.
std::map<std::string, double> launch_times(const std::string& output) {
  std::map<std::string, double> out;
  std::istringstream lines(output);
  std::string line, first, name, us, more;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    if (!(words >> first >> name >> us) || words >> more || first != "launch") continue;
    if (const double time = time_of(us); time > 0) out[name] = time;
  }
  return out;
}

// By kernel, where all that it launches is its own and was timed.
std::map<std::string, double> kernel_times(
    const std::map<std::string, double>& launches, const std::map<StepId, std::string>& keys,
    const std::map<StepId, std::vector<std::string>>& names) {
  std::map<std::string, std::set<std::string>> of_kernel, of_launch;
  for (const auto& [step, launched] : names) {
    if (!keys.contains(step)) continue;
    for (const std::string& name : launched) {
      of_kernel[keys.at(step)].insert(name);
      of_launch[name].insert(keys.at(step));
    }
  }
  std::map<std::string, double> out;
  for (const auto& [key, launched] : of_kernel) {
    const bool known = std::all_of(launched.begin(), launched.end(), [&](const std::string& name) {
      return launches.contains(name) && of_launch.at(name).size() == 1;
    });
    for (const std::string& name : launched) {
      if (known) out[key] += launches.at(name);
    }
  }
  return out;
}

std::string content_of(const SourceTree& tree) {
  Sha256 hash;
  for (const auto& [path, entry] : tree.entries()) {
    hash.update(path);
    if (entry.stream) {
      entry.stream([&](std::string_view bytes) { hash.update(bytes); });
    } else {
      hash.update(entry.bytes);
    }
  }
  return hash.hex();
}

// Cycles of all kernels, one after the other (cost/); 0 of a device, whose work-groups it has not.
int64_t predicted_cycles(const ModelPlan& plan) {
  if (has_device(plan.hardware)) return 0;
  const Predictions predictions(plan);
  int64_t out = 0;
  for (const auto& [step, schedule] : plan.kernels) out += predictions.cycles(step);
  return out;
}

}  // namespace

Runner::Runner(RunnerOptions options) : options_(std::move(options)) {
  options_.compile.tuning = Tuning{};
  Compiled compiled = compile(options_.compile, options_.hardware);
  compiled.plan.self_test = self_test_ = make_self_test(compiled, options_.compile, {});
  predicted_ = predicted_cycles(compiled.plan);
  content_ = content_of(emit_tree(compiled.plan).tree);
  if (!options_.command.empty()) write(compiled, untuned_.path() + "/untuned");
}

CandidateCost Runner::cost(const Tuning& tuning) {
  called_ = false;
  started_ = true;
  const ScratchFolder folder;
  const std::string tree = folder.path() + "/tree";
  CompileOptions with = options_.compile;
  with.tuning = tuning;
  Compiled compiled;
  try {
    compiled = compile(with, options_.hardware);
  } catch (const Refused& refused) {
    why_ = refused.what();
    return {kNoTime};
  }
  if (const int64_t cycles = predicted_cycles(compiled.plan);
      predicted_ > 0 && cycles / kHopeless > predicted_) {
    why_ = "predicted to take " + std::to_string(cycles / predicted_) +
           " times as long as the untuned tree";
    return {kNoTime};
  }
  compiled.plan.self_test = self_test_;
  const auto launches = write(compiled, tree);
  std::vector<std::string> command = options_.command;
  command.insert(command.end(), {tree, untuned_.path() + "/untuned"});
  called_ = true;
  const ProcessResult result = run_process(command, options_.seconds);
  started_ = result.started;
  if (result.exit_code != 0) {
    why_ = tool_failure(command, result).what();
    return {kNoTime};
  }
  const double us = time_in(result.output);
  if (us > 0)
    return {us, kernel_times(launch_times(result.output), compiled.kernel_keys, launches)};
  why_ = burin::quoted(command[0]) + " printed no microseconds, last on its output" +
         (result.output.empty() ? "" : ": " + burin::quoted(result.output));
  return {kNoTime};
}

std::string Runner::key(const std::string& choices) const {
  std::string text = content_ + "\n" + to_string(options_.hardware) + "\n" + choices;
  for (const std::string& word : options_.command) text += "\n" + word;
  return sha256_hex(text).substr(0, kKeyDigits);
}

// The functions that each step launches.
std::map<StepId, std::vector<std::string>> Runner::write(const Compiled& compiled,
                                                         const std::string& folder) const {
  const cpp::EmittedTree emitted = emit_tree(compiled.plan);
  write_tree(emitted.tree, folder, emitted.manifest);
  return emitted.launches;
}

}  // namespace burin

#include "tune/runner.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "backends/emit.h"
#include "hardware/load.h"
#include "support/diagnostics.h"
#include "support/sha256.h"
#include "verify/self_test.h"
#include "verify/tool.h"

namespace burin {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr size_t kKeyDigits = 16;

// The last word of what a runner printed; 0 where that is no time.
double time_in(const std::string& output) {
  std::istringstream words(output);
  std::string word, last;
  while (words >> word) last = word;
  double us = 0;
  const auto end = std::from_chars(last.data(), last.data() + last.size(), us);
  const bool whole = end.ec == std::errc() && end.ptr == last.data() + last.size();
  return whole && std::isfinite(us) && us > 0 ? us : 0;
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

}  // namespace

Runner::Runner(RunnerOptions options) : options_(std::move(options)) {
  options_.compile.tuning = Tuning{};
  Compiled compiled = compile(options_.compile, options_.hardware);
  compiled.plan.self_test = self_test_ = make_self_test(compiled, options_.compile, {});
  content_ = content_of(emit_tree(compiled.plan).tree);
  if (!options_.command.empty()) write(compiled, untuned_.path() + "/untuned");
}

double Runner::us(const Tuning& tuning) {
  called_ = false;
  const ScratchFolder folder;
  const std::string tree = folder.path() + "/tree";
  CompileOptions with = options_.compile;
  with.tuning = tuning;
  Compiled compiled;
  try {
    compiled = compile(with, options_.hardware);
  } catch (const Refused& refused) {
    why_ = refused.what();
    return kNever;
  }
  compiled.plan.self_test = self_test_;
  write(compiled, tree);
  std::vector<std::string> command = options_.command;
  command.insert(command.end(), {tree, untuned_.path() + "/untuned"});
  called_ = true;
  const ProcessResult result = run_process(command, options_.seconds);
  if (result.exit_code != 0) {
    why_ = tool_failure(command, result).what();
    return kNever;
  }
  const double us = time_in(result.output);
  if (us > 0) return us;
  why_ = burin::quoted(command[0]) + " printed no microseconds, last on its output" +
         (result.output.empty() ? "" : ": " + burin::quoted(result.output));
  return kNever;
}

std::string Runner::key(const std::string& choices) const {
  std::string text = content_ + "\n" + to_string(options_.hardware) + "\n" + choices;
  for (const std::string& word : options_.command) text += "\n" + word;
  return sha256_hex(text).substr(0, kKeyDigits);
}

void Runner::write(const Compiled& compiled, const std::string& folder) const {
  const cpp::EmittedTree emitted = emit_tree(compiled.plan);
  write_tree(emitted.tree, folder, emitted.manifest);
}

}  // namespace burin

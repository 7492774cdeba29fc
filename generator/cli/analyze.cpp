// burin analyze: what would be decided, and why.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "backends/cpp/weights.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/progress.h"
#include "lower/facts.h"
#include "report/analysis.h"
#include "report/overview.h"
#include "several.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

struct AnalyzeFlags : CommonFlags {
  bool json = false, verbose = false;
};

struct Analyzed {
  Analysis analysis;
  Overview overview;
};

// What is known of the shapes is told even where there is no plan, since it says why.
Analyzed analyzed(const AnalyzeFlags& flags) {
  std::string shapes;
  try {
    const std::string title = flags.title();
    Progress progress(title);
    const auto prepare = [&](CompileOptions& options) {
      if (options.layouts == LayoutUse::row_major) options.layouts = LayoutUse::planned;
      options.progress = [&progress, title](const char* stage) {
        progress.now(title + ": " + stage);
      };
      options.lowered = [&shapes](const Lowered& lowered) {
        shapes = facts_text(lowered.inputs, lowered.nodes, lowered.passes);
      };
    };
    if (!flags.several()) {
      CompileOptions options = compile_options(flags);
      prepare(options);
      const Compiled compiled = compile(options, load_hardware_flag(flags.config));
      progress.aside([&] { print_notes(compiled.notes); });
      const Analysis analysis = analyze(compiled);
      const int64_t weights = cpp::lay_out_weights(compiled.plan).payload_bytes;
      return {analysis, overview(compiled.plan, analysis, weights)};
    }
    SeveralFlags options = several_options(flags);
    for (CompileOptions& one : options.models) prepare(one);
    prepare(options.joint);
    const Several several =
        compile_several(options.models, options.joint, load_hardware_flag(flags.config));
    std::vector<const ModelPlan*> models;
    for (const Compiled& one : several.models) models.push_back(&one.plan);
    const ModelPlan& plan = several.joint.plan;
    const Analysis analysis = analyze(several.joint);
    const int64_t weights = cpp::lay_out_joint_weights(plan, models).payload_bytes;
    return {analysis, overview(plan, analysis, weights)};
  } catch (const Refused&) {
    if (!flags.json) std::fputs(shapes.c_str(), stdout);
    std::fflush(stdout);  // in front of the error
    throw;
  }
}

int run(const AnalyzeFlags& flags) {
  const Analyzed told = analyzed(flags);
  if (flags.json) {
    std::fputs(to_json(told.analysis).c_str(), stdout);
    return kExitOk;
  }
  std::printf("%s for %s: %lld nodes\n", burin::quoted(told.analysis.model).c_str(),
              told.analysis.hardware.c_str(), static_cast<long long>(told.analysis.nodes));
  std::fputs(to_text(told.overview).c_str(), stdout);
  const std::string rest = flags.verbose ? to_text(told.analysis) : kernels_text(told.analysis);
  std::printf("\n%s", rest.c_str());
  if (!flags.verbose) std::printf("\n--verbose tells shapes, orders, layouts and other planners\n");
  return kExitOk;
}

}  // namespace

Command add_analyze(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("analyze", "say what would be decided for a model, and why");
  auto flags = std::make_shared<AnalyzeFlags>();
  add_model_flags(*command, *flags);
  command->add_flag("--verbose", flags->verbose,
                    "also what papers call it: shapes, orders, layouts, what other planners need");
  command->add_flag("--json", flags->json, "as JSON, for programs");
  command->footer(
      std::string(
          "Nothing is written: flash, RAM, time, kernels with the nodes inside them; of several "
          "models, those of the\njoint run.\n\n"
          "Examples:\n"
          "  burin analyze net.onnx --config x86-64-v3\n"
          "  burin analyze net.onnx --config x86-64-v3 --json --dim "
          "batch=1..8@4\n"
          "  burin analyze net.onnx --config x86-64-v3 --dump-dir stages\n\n") +
      kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin

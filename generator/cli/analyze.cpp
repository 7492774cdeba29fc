// burin analyze: what would be decided, and why.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/progress.h"
#include "lower/facts.h"
#include "report/analysis.h"
#include "several.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

struct AnalyzeFlags : CommonFlags {
  bool json = false;
};

// What is known of the shapes is told even where there is no plan, since it says why.
Analysis analyzed(const AnalyzeFlags& flags) {
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
      print_notes(compiled.notes);
      return analyze(compiled);
    }
    SeveralFlags options = several_options(flags);
    for (CompileOptions& one : options.models) prepare(one);
    prepare(options.joint);
    return analyze(
        compile_several(options.models, options.joint, load_hardware_flag(flags.config)).joint);
  } catch (const Refused&) {
    if (!flags.json) std::fputs(shapes.c_str(), stdout);
    std::fflush(stdout);  // in front of the error
    throw;
  }
}

int run(const AnalyzeFlags& flags) {
  const Analysis analysis = analyzed(flags);
  std::fputs((flags.json ? to_json(analysis) : to_text(analysis)).c_str(), stdout);
  return kExitOk;
}

}  // namespace

Command add_analyze(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("analyze", "say what would be decided for a model, and why");
  auto flags = std::make_shared<AnalyzeFlags>();
  add_model_flags(*command, *flags);
  command->add_flag("--json", flags->json, "as JSON, for programs");
  command->footer(
      std::string(
          "Nothing is written: kernels with the nodes inside them, memory, work; of several "
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

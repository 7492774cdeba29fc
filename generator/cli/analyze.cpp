// burin analyze: what would be decided, and why.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/common.h"
#include "report/analysis.h"

namespace burin {
namespace {

struct Flags : CommonFlags {
  bool json = false;
};

int run(const Flags& flags) {
  const Hardware hardware = load_hardware_flag(flags.config);
  const Compiled compiled = compile(compile_options(flags), hardware);
  const Analysis analysis = analyze(compiled);
  std::fputs((flags.json ? to_json(analysis) : to_text(analysis)).c_str(), stdout);
  return kExitOk;
}

}  // namespace

Command add_analyze(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("analyze", "say what would be decided for a model, and why");
  auto flags = std::make_shared<Flags>();
  add_model_flags(*command, *flags);
  command->add_flag("--json", flags->json, "as JSON, for programs");
  return [flags] { return run(*flags); };
}

}  // namespace burin

// burin diff: what became of a plan, kernel by kernel.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "backends/emit.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/progress.h"
#include "cli/recorded.h"
#include "cli/usage.h"
#include "report/plan_diff.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

struct DiffFlags : CommonFlags {
  std::string before, now;
  bool json = false, markdown = false, exit_code = false;
};

bool is_tree(const std::string& path) { return std::filesystem::is_directory(path); }

// A model as the tree that it would become.
TreeFacts facts_of_model(GenerateFlags flags, const std::string& model) {
  flags.models = {model};
  Progress progress(model);
  CompileOptions options = compile_options(flags);
  options.progress = [&](const char* stage) { progress.now(model + ": " + stage); };
  Compiled compiled = located({.file = model}, [&] {
    return compile(options, load_hardware_flag(flags.config, *flags.read));
  });
  compiled.plan.made_from = made_from(flags, compiled.plan, {});
  return located({.file = model}, [&] { return tree_facts(emit_tree(compiled.plan)); });
}

int run_diff(const DiffFlags& given) {
  const bool old_tree = is_tree(given.before), new_tree = is_tree(given.now);
  const bool flags_given =
      !given.config.empty() || !given.dims.empty() || !given.external_root.empty();
  if (flags_given && (old_tree || new_tree))
    throw UsageError{"--config, --dim and --external-data-root are for two models",
                     "a tree has its own, which a model beside it gets"};
  // A model beside a tree becomes what regenerate would make of it.
  const auto flags_for = [&](const std::string& model, bool other_is_tree,
                             const std::string& other) {
    if (other_is_tree) return recorded_flags(other, {model});
    GenerateFlags flags;
    static_cast<CommonFlags&>(flags) = given;
    if (flags.config.empty()) flags.config = "cpp-generic";
    return flags;
  };
  const TreeFacts before =
      old_tree ? read_tree_facts(given.before)
               : facts_of_model(flags_for(given.before, new_tree, given.now), given.before);
  const TreeFacts now =
      new_tree ? read_tree_facts(given.now)
               : facts_of_model(flags_for(given.now, old_tree, given.before), given.now);
  const PlanDiff told = diff(before, now);
  std::fputs((given.json       ? to_json(told)
              : given.markdown ? to_markdown(told)
                               : to_text(told))
                 .c_str(),
             stdout);
  return given.exit_code && !told.empty() ? kExitDiffers : kExitOk;
}

}  // namespace

Command add_diff(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "diff", "say what changed from one tree or model to another, kernel by kernel");
  auto flags = std::make_shared<DiffFlags>();
  command->add_option("old", flags->before, "a tree, or a model")->required()->type_name("OLD");
  command->add_option("new", flags->now, "another")->required()->type_name("NEW");
  command
      ->add_option("--config", flags->config,
                   "of two models: the hardware, as of burin generate; default: cpp-generic")
      ->type_name("FILE");
  command->add_option("--dim", flags->dims, "of two models: as of burin generate")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZE");
  add_external_root(*command, flags->external_root, flags->links_root);
  CLI::Option* json = command->add_flag("--json", flags->json, "as JSON, for programs");
  command->add_flag("--markdown", flags->markdown, "as Markdown, for a pull request")
      ->excludes(json);
  command->add_flag("--exit-code", flags->exit_code, "exit with 4 where anything differs");
  command->footer(
      std::string(
          "Kernels are told by the ONNX nodes that they stand for: + added, - gone, ~ changed, and "
          "in what.\nCycles are the fewest that the peaks of the description allow, at the sizes "
          "that the trees were made for.\nA model beside a tree is compiled with the flags that "
          "the tree remembers.\n\n"
          "Examples:\n"
          "  burin diff tree net.onnx\n"
          "  burin diff old_tree new_tree --markdown\n"
          "  burin diff before.onnx after.onnx --config x86-64-v3 --json\n\n") +
      kExitCodesText);
  return [flags] { return run_diff(*flags); };
}

}  // namespace burin

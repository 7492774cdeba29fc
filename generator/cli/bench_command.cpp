// burin bench: how long a tree takes, whole and by kernel.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/packed_trees.h"
#include "cli/progress.h"
#include "cli/recorded.h"
#include "cli/usage.h"
#include "support/diagnostics.h"
#include "support/interrupt.h"
#include "verify/bench.h"
#include "verify/build.h"

namespace burin {
namespace {

struct BenchFlags : CommonFlags {
  std::string compiler, against, runner, tree;
  double seconds = 0.5;
  int threads = 0, jobs = 1;
  bool json = false;
  std::vector<const CLI::Option*> of_models;  // what says how a tree is made: it has its own
};

bool has_manifest(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path + "/manifest.json", none);
}

// What stands in the place of a model, where nothing else says what to measure.
void check_there_is_a_tree(const std::string& path) {
  std::error_code none;
  located({.file = path}, [&] {
    if (!std::filesystem::exists(path, none))
      refuse("io", "cannot be read: No such file or directory");
    if (std::filesystem::is_directory(path, none))
      refuse("not-a-tree", "the folder has no manifest.json",
             "give a tree that burin generate has written");
  });
}

// A tree in the place of a model.
void check_tree_alone(const BenchFlags& flags) {
  for (const CLI::Option* one : flags.of_models) {
    if (one->count() > 0)
      throw UsageError{
          one->get_name() + " is of models, and " + burin::quoted(flags.models[0]) + " is a tree",
          "a tree has its own flags"};
  }
  if (!flags.tree.empty())
    throw UsageError{
        burin::quoted(flags.models[0]) + " is a tree, not the model of --tree",
        "burin bench " + flags.models[0] + ", or burin bench MODEL --tree " + flags.tree};
}

// "'net' for cortex-m7, at 'batch' = 64".
std::string title_of(const BenchResult& result) {
  return burin::quoted(result.model) + " for " + result.hardware +
         (result.sizes.empty() ? "" : ", at " + result.sizes);
}

int run_bench(const BenchFlags& flags) {
  clean_up_on_interrupt();
  if (flags.several())
    throw UsageError{"bench takes one model", "give the models one after the other"};
  std::optional<BenchResult> earlier;
  if (!flags.against.empty()) earlier = read_bench(flags.against);
  BenchOptions options;
  options.without_model = has_manifest(flags.models[0]);
  if (options.without_model) check_tree_alone(flags);
  options.tree = options.without_model ? flags.models[0] : flags.tree;
  if (options.tree.empty() && flags.config.empty()) check_there_is_a_tree(flags.models[0]);
  if (options.tree.empty() && flags.config.empty())
    throw UsageError{"--config or --tree is required",
                     "--config takes a file, a name that burin configs lists, or host"};
  const CommonFlags with = flags_of_tree(flags, options.tree);
  options.compile = compile_options(with);
  options.hardware = load_hardware_flag(with.config);
  options.pack = packing_of(with);
  if (!flags.runner.empty()) {
    options.hardware.runner.clear();
    std::istringstream words(flags.runner);
    for (std::string word; words >> word;) options.hardware.runner.push_back(word);
  }
  options.compiler = flags.compiler;
  options.threads = flags.threads;
  options.jobs = flags.jobs;
  options.ns = static_cast<int64_t>(flags.seconds * 1e9);
  try {
    const BenchResult result = [&] {
      Progress progress(flags.title() + ": compiling and running the tree");
      return located({.file = flags.title()}, [&] { return bench(options); });
    }();
    if (earlier && (earlier->model != result.model || earlier->hardware != result.hardware ||
                    earlier->sizes != result.sizes)) {
      std::fprintf(stderr, "%s: warning: is of %s, not compared\n", flags.against.c_str(),
                   title_of(*earlier).c_str());
      earlier.reset();
    }
    std::fputs((flags.json ? to_json(result) : to_text(result, earlier)).c_str(), stdout);
  } catch (const ToolFailed& failed) {
    std::fprintf(stderr, "burin: error: %s\n", failed.what());
    return kExitTool;
  }
  return kExitOk;
}

}  // namespace

Command add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench", "compile and run a model, and say how long it takes, whole and by kernel");
  auto flags = std::make_shared<BenchFlags>();
  add_model_flags(*command, *flags);
  command->get_option("--config")->required(false);
  // What says how a tree is made: one that is there has its own.
  std::vector<CLI::Option*> making;
  for (CLI::Option* one : command->get_options()) {
    const bool of_files = one->check_name("model") || one->check_name("--external-data-root") ||
                          one->check_name("--allow-links") || one->check_name("--help");
    const bool told_apart = one->check_name("--config") || one->check_name("--dim");
    if (!of_files && !told_apart) making.push_back(one);
    if (!one->check_name("model") && !one->check_name("--help")) flags->of_models.push_back(one);
  }
  command
      ->add_option("--compiler", flags->compiler,
                   "one of the compilers that the configuration names; default: the first")
      ->type_name("NAME");
  CLI::Option* tree =
      command
          ->add_option("--tree", flags->tree,
                       "what lies in a tree on disk, edited or not, which burin generate made of "
                       "this model, with its own flags")
          ->type_name("DIR");
  for (CLI::Option* one : making) tree->excludes(one);
  command
      ->add_option("--runner", flags->runner,
                   "a command in front of the program, words separated by blanks; default: that "
                   "of the configuration")
      ->type_name("COMMAND");
  command->add_option("--seconds", flags->seconds, "that each measurement may take; default: 0.5")
      ->check(CLI::Range(0.001, 600.0))
      ->type_name("S");
  command
      ->add_option("--threads", flags->threads,
                   "the most threads that share loops; default: as many as the configuration has")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_option("-j,--jobs", flags->jobs, "how many compilers run at the same time")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command
      ->add_option("--against", flags->against,
                   "what --json gave of an earlier tree: what changed is told")
      ->type_name("FILE");
  command->add_flag("--json", flags->json, "as JSON, for programs, and for --against");
  command->footer(
      std::string(
          "The tree runs on made-up inputs, at the sizes that it was made for (--dim "
          "NAME=MIN..MAX@SIZE). The\nbound is that of the peaks which the description has: no run "
          "is faster on one core. Kernels are timed\non one thread, by a build of their own, those "
          "of a device by events of its queue, without transfers;\npredicted is what the "
          "description says of their loops. A tree can stand for the model: what needs the\nmodel "
          "is left out then, and told.\n\n"
          "Examples:\n"
          "  burin bench net.onnx --config host\n"
          "  burin bench net.onnx --config host --json > before.json\n"
          "  burin bench net.onnx --config host --against before.json\n"
          "  burin bench net.onnx --tree tree\n"
          "  burin bench tree\n\n") +
      kExitCodesText);
  return [flags] { return run_bench(*flags); };
}

}  // namespace burin

// burin generate: the main job.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "backends/cpp/emit.h"
#include "cli/commands.h"
#include "cli/common.h"

namespace burin {
namespace {

struct Flags : CommonFlags {
  std::string output;
  bool check = false;
};

int run(const Flags& flags) {
  const Hardware hardware = load_hardware_flag(flags.config);
  const Compiled compiled = compile(compile_options(flags), hardware);
  const cpp::EmittedTree emitted = cpp::emit(compiled.plan);
  if (flags.check) {
    const std::vector<TreeChange> changes =
        check_tree(emitted.tree, flags.output, emitted.manifest);
    for (const TreeChange& change : changes) std::printf("%s\n", to_string(change).c_str());
    return changes.empty() ? kExitOk : kExitDiffers;
  }
  const std::vector<TreeChange> changes = write_tree(emitted.tree, flags.output, emitted.manifest);
  std::fprintf(stderr, "%s: %zu files, %zu changed\n", flags.output.c_str(),
               emitted.tree.entries().size() + 1, changes.size());
  return kExitOk;
}

}  // namespace

Command add_generate(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("generate", "write a source tree for a model and a piece of hardware");
  auto flags = std::make_shared<Flags>();
  add_model_flags(*command, *flags);
  command->add_option("-o,--output", flags->output, "folder of the tree; made when missing")
      ->required();
  command->add_flag("--check", flags->check,
                    "write nothing; exit code 4 if the tree on disk differs");
  return [flags] { return run(*flags); };
}

}  // namespace burin

// burin generate: the main job.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "backends/emit.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "support/diagnostics.h"
#include "verify/self_test.h"

namespace burin {
namespace {

struct Flags : CommonFlags {
  std::string output;
  std::string test_data;
  bool check = false;
};

int run(const Flags& flags) {
  CompileOptions options = compile_options(flags);
  const Hardware hardware = load_hardware_flag(flags.config);
  Progress progress(flags.model);
  options.progress = [&](const char* stage) { progress.now(flags.model + ": " + stage); };
  Compiled compiled = compile(options, hardware);
  SelfTestOptions self_test;
  self_test.data = flags.test_data;
  progress.now(flags.model + ": self-test");
  const Location model{.file = flags.model};
  located(model, [&] { compiled.plan.self_test = make_self_test(compiled, options, self_test); });
  progress.now(flags.model + ": emit");
  const cpp::EmittedTree emitted = located({.file = flags.model, .node = "stage emit"},
                                           [&] { return emit_tree(compiled.plan); });
  const Location output{.file = "--output"};
  if (flags.check) {
    const std::vector<TreeChange> changes =
        located(output, [&] { return check_tree(emitted.tree, flags.output, emitted.manifest); });
    for (const TreeChange& change : changes) std::printf("%s\n", to_string(change).c_str());
    return changes.empty() ? kExitOk : kExitDiffers;
  }
  const std::vector<TreeChange> changes =
      located(output, [&] { return write_tree(emitted.tree, flags.output, emitted.manifest); });
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
  command
      ->add_option("-o,--output", flags->output,
                   "folder of the tree: new, empty, or made by burin before; unchanged files keep "
                   "their time stamps")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--test-data", flags->test_data,
                   "data for the tree's self-test: a folder with input_<n>.pb and output_<n>.pb, "
                   "or one of several test_data_set_<n>; default: made up, results from burin's "
                   "interpreter where the network is small enough for it")
      ->type_name("DIR");
  command->add_flag("--check", flags->check,
                    "write nothing; name what differs from the tree on disk, exit code 4 if "
                    "anything does");
  command->footer(
      std::string(
          "Examples:\n"
          "  burin generate net.onnx --config configs/x86-64-v3.json --output tree\n"
          "  burin generate net.onnx --config configs/armv8-neoverse-n1.json -o tree \\\n"
          "      --name net --dim batch=1 --dim seq=1..512@128 --weights blob\n"
          "  burin generate net.onnx --config configs/x86-64-v3.json -o tree --check\n\n"
          "The tree: include/<name>.h is the interface, src/ the code, REPORT.md what was "
          "decided,\n"
          "manifest.json the same for programs. Compile it with c++ -std=c++17 -Iinclude -c.\n\n") +
      kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin

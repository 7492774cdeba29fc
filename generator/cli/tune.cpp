// burin tune: measure candidates, write a tuning file.
#include "tune/tune.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/usage.h"
#include "support/diagnostics.h"
#include "support/interrupt.h"

namespace burin {
namespace {

struct Flags : CommonFlags {
  std::string runner;
  SearchOptions search;
};

int run(const Flags& flags) {
  clean_up_on_interrupt();
  if (flags.several()) throw UsageError{"tune takes one model", "tune them one after the other"};
  TuneOptions options;
  CommonFlags untuned = flags;
  untuned.tuning.clear();
  options.compile = compile_options(untuned);
  if (flags.parallel_fusion.empty()) options.compile.parallel_fusion = ParallelFusion::measured;
  options.hardware = load_hardware_flag(flags.config);
  std::istringstream words(flags.runner);
  for (std::string word; words >> word;) options.runner.push_back(word);
  if (options.runner.empty()) throw UsageError{"--runner is empty", "name a command"};
  options.search = flags.search;
  options.measured = flags.tuning + ".measured";
  options.progress = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  const TuneResult result = located({.file = flags.models[0]}, [&] { return tune(options); });
  std::ofstream out(flags.tuning, std::ios::binary);
  out << to_json(result.file);
  out.close();
  if (!out)
    located({.file = "--tuning"},
            [&] { refuse("io", "cannot write " + burin::quoted(flags.tuning)); });
  std::printf(
      "%.1f us untuned, %.1f us tuned; %d candidates measured; %zu kernels and %zu pairs are "
      "changed\n",
      result.file.untuned_us, result.file.us, result.measured, result.file.tuning.kernels.size(),
      result.file.tuning.pairs.size());
  return kExitOk;
}

}  // namespace

Command add_tune(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("tune", "measure candidates for a device's kernels, write a tuning file");
  auto flags = std::make_shared<Flags>();
  add_model_flags(*command, *flags);
  command->get_option("--tuning")->required();
  command
      ->add_option("--runner", flags->runner,
                   "a command that is given the folder of a tree and prints the microseconds of a "
                   "run, last on its output; words are separated by blanks")
      ->required()
      ->type_name("COMMAND");
  command->add_option("--seed", flags->search.seed, "of the search; default: 1");
  command->add_option("--population", flags->search.population, "candidates of a generation")
      ->check(CLI::Range(2, 10000));
  command->add_option("--generations", flags->search.generations, "of the search")
      ->check(CLI::Range(1, 10000));
  command->footer(
      std::string(
          "A genetic search over shapes of work-groups and tiles, unrolling, vectors and points "
          "of\n"
          "work-items, images or buffers, and pairs of kernels whose launches are joint (but for\n"
          "--parallel-fusion off). What was measured is kept in FILE.measured: a search that was\n"
          "interrupted goes on where it ended.\n\n"
          "Example:\n"
          "  burin tune net.onnx --config configs/pocl.json --tuning net.tuning.json \\\n"
          "      --runner \"python3 tests/bench/tune_runner.py\"\n\n") +
      kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin

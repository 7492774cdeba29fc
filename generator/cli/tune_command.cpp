// burin tune: measure candidates, write a tuning file.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/usage.h"
#include "hardware/capabilities.h"
#include "several.h"
#include "support/diagnostics.h"
#include "support/interrupt.h"
#include "support/whole_files.h"
#include "tune/tune.h"

namespace burin {
namespace {

struct TuneFlags : CommonFlags {
  std::string runner;
  SearchOptions search;
  int rounds = 9;
};

// Before the search, which takes long; what the file says now, where it is one.
std::optional<TuningFile> prepare_file(const std::string& path, const std::string& hardware) {
  const std::filesystem::file_status status = std::filesystem::status(path);
  std::optional<TuningFile> earlier;
  if (std::filesystem::is_regular_file(status)) earlier = read_tuning_file(path, hardware);
  check_writable(path);
  return earlier;
}

// What was found before is not lost.
void write_file(const std::string& path, const TuningFile& file) {
  WholeFiles files;
  files.add(path, to_json(file));
  files.place();
}

// One line: what won, by how much, and what became of the file.
void tell(const TuneResult& result, const TuneFlags& flags, bool there) {
  const std::string file = burin::quoted(flags.tuning);
  std::string line = std::to_string(result.measured) + " candidates measured; ";
  if (!result.contested) {
    line += "none took less than the untuned tree; ";
  } else {
    line += "untuned " + to_string(result.untuned) + ", " +
            (is_faster(result.tuned, result.untuned) ? "tuned " : "the best other ") +
            to_string(result.tuned) + ", " + std::to_string(flags.rounds) + " times each; ";
  }
  if (result.write) {
    line += std::to_string(result.file.tuning.kernels.size()) + " kernels and " +
            std::to_string(result.file.tuning.pairs.size()) + " pairs are changed";
  } else if (there) {
    line += "nothing is faster than " + file + " beyond chance: it stays as it is";
  } else {
    line += "nothing is faster beyond chance: " + file + " is not written";
  }
  std::printf("%s\n", line.c_str());
}

// Of several models, those of the joint run.
CompileOptions untuned_options(const TuneFlags& flags, const Hardware& hardware) {
  CommonFlags untuned = flags;
  untuned.tuning.clear();
  CompileOptions out;
  if (flags.several()) {
    const SeveralFlags several = several_options(untuned);
    out = compile_several(several.models, several.joint, hardware).joint_options;
  } else {
    out = compile_options(untuned);
  }
  if (flags.parallel_fusion.empty() && has_device(hardware))
    out.parallel_fusion = ParallelFusion::measured;
  return out;
}

int run(const TuneFlags& flags) {
  clean_up_on_interrupt();
  TuneOptions options;
  options.hardware = load_hardware_flag(flags.config);
  options.compile = untuned_options(flags, options.hardware);
  std::istringstream words(flags.runner);
  for (std::string word; words >> word;) options.runner.push_back(word);
  if (options.runner.empty()) throw UsageError{"--runner is empty", "name a command"};
  options.search = flags.search;
  options.rounds = flags.rounds;
  options.measured = flags.tuning + ".measured";
  const Location place{.file = "--tuning"};
  options.earlier =
      located(place, [&] { return prepare_file(flags.tuning, options.hardware.name); });
  options.progress = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  try {
    const TuneResult result = located({.file = flags.title()}, [&] { return tune(options); });
    if (result.write) located(place, [&] { write_file(flags.tuning, result.file); });
    tell(result, flags, options.earlier.has_value());
  } catch (const RunnerFailed& failed) {
    std::fprintf(stderr, "burin: error: %s\n", failed.what());
    return kExitTool;
  }
  return kExitOk;
}

}  // namespace

Command add_tune(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("tune", "measure candidates for a model's kernels, write a tuning file");
  auto flags = std::make_shared<TuneFlags>();
  add_model_flags(*command, *flags);
  command->get_option("--tuning")->required();
  command
      ->add_option(
          "--runner", flags->runner,
          "a command that is given the folders of a tree and of the untuned one, and prints "
          "the microseconds of a run of the first, last on its output, and before that, where it "
          "can, those of each kernel of it: lines 'launch NAME US', by the names of functions in "
          "opencl/*.cl or src/kernels; one that fails says that the tree cannot be, or computes "
          "something else; "
          "words are separated by blanks")
      ->required()
      ->type_name("COMMAND");
  command->add_option("--seed", flags->search.seed, "of the search; default: 1");
  command->add_option("--population", flags->search.population, "candidates of a generation")
      ->check(CLI::Range(2, 10000));
  command->add_option("--generations", flags->search.generations, "of the search")
      ->check(CLI::Range(1, 10000));
  command
      ->add_option("--rounds", flags->rounds,
                   "how often the best candidates, the untuned tree and what the file says now are "
                   "measured in the end, in turns; only what is faster beyond chance is "
                   "written; default: 9")
      ->check(CLI::Range(3, 1000))
      ->type_name("N");
  command->footer(
      std::string(
          "A genetic search over the numbers of verbs (plan.json has those of each kernel): "
          "tiles,\n"
          "blocks and parts of threads on a CPU, shapes of work-groups and tiles, unrolling, "
          "vectors\n"
          "and points of work-items, images or buffers on a device; and over pairs of kernels "
          "whose\n"
          "launches are joint (but for --parallel-fusion off). What was measured is kept in "
          "FILE.measured: a search that was\n"
          "interrupted goes on where it ended. FILE is written where something is faster than the\n"
          "untuned tree, and than what FILE says now. Several models are tuned as they run "
          "together.\n\n"
          "Example:\n"
          "  burin tune net.onnx --config pocl --tuning net.tuning.json \\\n"
          "      --runner \"python3 /usr/local/share/burin/tests/bench/tune_runner.py\"\n\n"
          "tune_runner.py is installed with burin; it needs Python with NumPy, and a "
          "compiler.\n\n") +
      kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin

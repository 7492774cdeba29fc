// burin verify: does the emitted code compute what is expected?
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/packed_trees.h"
#include "cli/progress.h"
#include "cli/usage.h"
#include "report/data_set.h"
#include "support/diagnostics.h"
#include "support/interrupt.h"
#include "verify/build.h"
#include "verify/verdict_text.h"
#include "verify/verify_all.h"
#include "verify/verify_several.h"

namespace burin {
namespace {

struct VerifyFlags : CommonFlags {
  std::string all, compiler, keep;
  std::vector<std::string> data;
  bool json = false, sanitize = false, fast = false, hold = false, list = false, accuracy = false,
       layers = false;
  double tolerance = -1;
  int jobs = 1;
  size_t sample = 0;
};

VerifyOptions verify_options(const VerifyFlags& flags) {
  VerifyOptions options;
  options.hardware = load_hardware_flag(flags.config);
  options.compiler = flags.compiler;
  options.data = flags.data;
  options.fast = flags.fast;
  options.sanitize = flags.sanitize;
  options.hold_inputs = flags.hold;
  options.keep = flags.keep;
  options.jobs = flags.jobs;
  options.accuracy = flags.accuracy;
  options.layers = flags.layers;
  options.pack = packing_of(flags);
  if (flags.tolerance >= 0) options.tolerance = flags.tolerance;
  return options;
}

std::function<void(const char*)> shown(const std::string& title, Progress& progress) {
  return [title, &progress](const char* stage) {
    progress.now(title + ": " + stage + ", then compiling and running the tree");
  };
}

int run_several(const VerifyFlags& flags) {
  if (flags.hold) throw UsageError{"--hold takes one model", "give the models one after the other"};
  if (!flags.data.empty() && flags.data.size() != flags.models.size())
    throw UsageError{"--data is given " + std::to_string(flags.data.size()) + " times for " +
                         std::to_string(flags.models.size()) + " models",
                     "give it once for each model, in their order"};
  const SeveralVerdict verdict = [&] {
    Progress progress(flags.title());
    SeveralFlags several = several_options(flags);
    VerifyOptions options = verify_options(flags);
    options.compile = several.joint;
    options.compile.progress = shown(flags.title(), progress);
    for (CompileOptions& one : several.models) one.progress = options.compile.progress;
    return located({.file = flags.title()},
                   [&] { return verify_several(options, several.models); });
  }();
  const std::string text = flags.json ? verdict_json(verdict) : verdict_text(verdict);
  std::fputs(text.c_str(), stdout);
  return verdict.agrees() ? kExitOk : kExitDiffers;
}

int run_one(const VerifyFlags& flags) {
  const std::string title = flags.title();
  const Verdict verdict = [&] {
    Progress progress(title);
    const CompileOptions compile = compile_options(flags);
    VerifyOptions options = verify_options(flags);
    options.compile = compile;
    options.make_up = true;
    options.compile.progress = shown(title, progress);
    return located({.file = title}, [&] { return verify(options); });
  }();
  const std::string text = flags.json ? verdict_json(verdict) : verdict_text(verdict);
  std::fputs(text.c_str(), stdout);
  const bool none = std::all_of(verdict.data_sets.begin(), verdict.data_sets.end(),
                                [](const auto& set) { return set.layers.empty(); });
  if (flags.layers && none && !flags.json && verdict.agrees())
    std::puts("no tensor that the model has lies between kernels");
  return verdict.agrees() ? kExitOk : kExitDiffers;
}

int run_all(const VerifyFlags& flags) {
  std::vector<std::string> cases = find_cases(flags.all);
  if (flags.sample) cases = sample(cases, flags.sample);
  if (cases.empty())
    located({.file = "--all"}, [&] {
      refuse("io", "no model.onnx below " + burin::quoted(flags.all), "name a folder of cases");
    });
  VerifyOptions options = verify_options(flags);
  options.compile = compile_options(flags);
  options.fast = options.hold_inputs = true;
  options.jobs = 1;  // cases run beside each other instead
  find_compiler(options);
  const std::vector<CaseVerdict> verdicts = [&] {
    Progress progress(flags.all + ": " + std::to_string(cases.size()) + " cases");
    return verify_all(cases, flags.all, options, flags.jobs);
  }();
  if (flags.list && !flags.json) {  // JSON names them all
    for (const CaseVerdict& one : verdicts) {
      if (one.outcome == CaseOutcome::refused)
        std::printf("refused: %s: %s\n", one.path.c_str(), one.message.c_str());
    }
  }
  const std::string text = flags.json ? summary_json(verdicts) : summary_text(verdicts);
  std::fputs(text.c_str(), stdout);
  const auto any = [&](const auto& is) {
    return std::any_of(verdicts.begin(), verdicts.end(), is);
  };
  if (any([](const auto& one) { return one.rule == kToolRule; })) return kExitTool;
  if (any([](const auto& one) { return one.outcome == CaseOutcome::failed; })) return kExitDiffers;
  // All were refused: nothing has been verified.
  return any([](const auto& one) { return one.outcome == CaseOutcome::passed; }) ? kExitOk
                                                                                 : kExitRefused;
}

int run(const VerifyFlags& flags) {
  clean_up_on_interrupt();
  if (flags.layers && (flags.several() || flags.hold || !flags.all.empty()))
    throw UsageError{"--layers is for one model, without --hold", "verify the model by itself"};
  try {
    if (!flags.all.empty()) return run_all(flags);
    return flags.several() ? run_several(flags) : run_one(flags);
  } catch (const ToolFailed& failed) {
    if (flags.json && flags.all.empty()) {
      const Hardware hardware = load_hardware_flag(flags.config);
      const Verdict none{flags.title(), hardware.name, flags.compiler, {}, {}};
      std::fputs(verdict_json(none, failed.what()).c_str(), stdout);
    }
    std::fprintf(stderr, "burin: error: %s\n", failed.what());
    return kExitTool;
  }
}

}  // namespace

Command add_verify(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "verify", "emit, compile and run a model on test data, and compare with what is expected");
  auto flags = std::make_shared<VerifyFlags>();
  add_model_flags(*command, *flags);
  CLI::Option* model = command->get_option("model")->required(false);
  CLI::Option* data =
      command
          ->add_option(
              "--data", flags->data,
              "a folder with input_<k>.pb and output_<k>.pb, or a folder of such named "
              "test_data_set_<n>; may be repeated; of several models, once for each in their "
              "order; default: those beside the model, else inputs are made up; without outputs, "
              "results are those of burin's interpreter")
          ->allow_extra_args(false)
          ->type_name("DIR");
  CLI::Option* all =
      command
          ->add_option("--all", flags->all,
                       "instead of a model: every case below this folder, each a model.onnx with "
                       "its data; implies --fast and --hold")
          ->type_name("DIR");
  all->excludes(model)->excludes(data);
  command
      ->add_option("--sample", flags->sample,
                   "with --all: only so many cases, spread evenly over all of them")
      ->needs(all)
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  command
      ->add_option("--compiler", flags->compiler,
                   "one of the compilers that the configuration names; default: the first")
      ->type_name("NAME");
  command
      ->add_option("-j,--jobs", flags->jobs,
                   "how many compilers, or with --all cases, run at the same time")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_flag("--accuracy", flags->accuracy,
                    "also how far every output is from the same network in 32-bit floats, by the "
                    "interpreter: largest error, that of the largest magnitude, root of the mean "
                    "square; where the interpreter would take too long, from the data");
  command->add_flag("--layers", flags->layers,
                    "also hold every tensor between kernels to the interpreter, and name the first "
                    "node whose result differs; the tree that is run has them as outputs");
  command
      ->add_option("--tolerance", flags->tolerance,
                   "how far a float may be off, as a share of the largest magnitude of its output; "
                   "default: by the type of the output, of fp16 with --half")
      ->check(CLI::Range(0.0, 1e6))
      ->type_name("SHARE");
  command->add_flag("--json", flags->json, "as JSON, for programs");
  command->add_flag("--list", flags->list, "with --all: name every refused case")->needs(all);
  command->add_option("--keep", flags->keep, "keep the tree and the test program in this folder")
      ->type_name("DIR");
  command->add_flag("--sanitize", flags->sanitize,
                    "build with AddressSanitizer and UndefinedBehaviorSanitizer");
  command->add_flag("--fast", flags->fast, "compile all sources at once with -O1");
  command->add_flag("--hold", flags->hold,
                    "where the model needs to know an input's contents while generating, take them "
                    "from the data");
  command->footer(
      std::string(
          "Prints the largest absolute, relative and ULP difference of every output; relative is "
          "against\nthe largest magnitude that the output is expected to have, not element by "
          "element. The tree goes to\na scratch folder; compiler and runner (such as qemu-aarch64) "
          "come from the "
          "configuration. With --all, the exit code is 0 where none failed and one passed: refused "
          "cases\nare counted, not held against it.\n\n"
          "Examples:\n"
          "  burin verify net/model.onnx --config cpp-generic\n"
          "  burin verify net.onnx --config armv8-neoverse-n1 --data "
          "net/test_data_set_0\n"
          "  burin verify det/model.onnx cls/model.onnx --names det,cls --config "
          "pocl\n"
          "  burin verify net.onnx --config host --layers\n"
          "  burin verify --all cases --config cpp-generic -j2\n\n") +
      kExitCodesText);
  command->callback([flags] {
    if (flags->models.empty() && flags->all.empty()) throw CLI::RequiredError("model or --all");
  });
  return [flags] { return run(*flags); };
}

}  // namespace burin

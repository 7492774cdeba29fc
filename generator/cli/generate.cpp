// burin generate: the main job.
#include "cli/generate.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <set>

#include "backends/cpp/weights.h"
#include "backends/emit.h"
#include "backends/packages/packages.h"
#include "cli/commands.h"
#include "cli/config_flag.h"
#include "cli/progress.h"
#include "cli/recorded.h"
#include "cli/usage.h"
#include "report/overview.h"
#include "report/served_sizes.h"
#include "several.h"
#include "support/diagnostics.h"
#include "verify/build.h"
#include "verify/measure_code.h"
#include "verify/self_test.h"

namespace burin {
namespace {

SelfTest self_test_of(const Compiled& compiled, const CompileOptions& options,
                      const GenerateFlags& flags, size_t model) {
  SelfTestOptions self_test;
  if (!flags.test_data.empty()) self_test.data = flags.test_data[model];
  self_test.warn = [&](const std::string& why) {
    std::fprintf(stderr, "%s: warning: %s; --test-data gives data for it\n", options.model.c_str(),
                 why.c_str());
  };
  return located({.file = options.model},
                 [&] { return make_self_test(compiled, options, self_test); });
}

// What a command line asks for, decided.
struct Decided {
  std::vector<Compiled> models;  // of several
  Compiled own;                  // the tree's network
};

void forget_lowered(Compiled& compiled) {
  compiled.lowered = {};
  compiled.nodes = {};
  compiled.kernel_keys = {};
}

Decided decide(const GenerateFlags& flags, Progress& progress) {
  const std::string title = flags.title();
  const auto show = [&](CompileOptions& options) {
    options.step_hook = flags.step_hook;
    options.progress = [&progress, title](const char* stage) {
      progress.now(title + ": " + stage);
    };
  };
  Decided out;
  if (!flags.several()) {
    CompileOptions options = compile_options(flags);
    show(options);
    out.own = compile(options, load_hardware_flag(flags.config, *flags.read));
    progress.now(title + ": self-test");
    out.own.plan.self_test = self_test_of(out.own, options, flags, 0);
    return out;
  }
  SeveralFlags options = several_options(flags);
  for (CompileOptions& one : options.models) show(one);
  show(options.joint);
  Several several =
      compile_several(options.models, options.joint, load_hardware_flag(flags.config, *flags.read));
  progress.now(title + ": self-test");
  for (size_t i = 0; i < several.models.size(); ++i)
    several.models[i].plan.self_test =
        self_test_of(several.models[i], several.options[i], flags, i);
  several.joint.plan.self_test = joint_self_test(several);
  out.models = std::move(several.models);
  out.own = std::move(several.joint);
  return out;
}

// Which sizes the tree serves, and where these are fewer than the model has.
void print_sizes(const ModelPlan& plan, const GenerateFlags& flags) {
  const std::vector<ServedSize> sizes = served_sizes(plan);
  if (sizes.empty()) return;
  std::fprintf(stderr, "%s: serves %s%s\n", flags.output.c_str(), served_text(sizes).c_str(),
               together_text(plan).c_str());
  for (const std::string& text : narrow_texts(sizes, plan))
    std::fprintf(stderr, "%s: warning: %s\n", flags.title().c_str(), text.c_str());
}

}  // namespace

namespace {

int64_t weights_bytes(const ModelPlan& plan, const std::vector<const ModelPlan*>& models) {
  return (models.empty() ? cpp::lay_out_weights(plan) : cpp::lay_out_joint_weights(plan, models))
      .payload_bytes;
}

// What somebody asks next: room, whether it is right, how to build it.
void print_summary(const ModelPlan& plan, const Overview& told, const GenerateFlags& flags) {
  const char* tree = flags.output.c_str();
  std::fprintf(stderr, "%s: RAM: %s\n", tree, memory_text(told).c_str());
  int64_t compiled = 0;
  if (plan.code_sizes) {
    for (const CodeSizes::Row& row : plan.code_sizes->rows) compiled += row.code;
  }
  std::fprintf(stderr, "%s: flash: %s of weights%s, and %s\n", tree,
               bytes_text(told.weights_bytes).c_str(),
               told.weights_bytes == 0             ? ""
               : plan.weights == WeightsMode::blob ? ", a file"
                                                   : ", part of the program",
               compiled > 0 ? (bytes_text(compiled) + " of code").c_str() : "the code");
  const SelfTest& test = plan.self_test;
  const size_t runs = test.runs.size();
  std::fprintf(
      stderr, "%s: self-test: %s\n", tree,
      runs == 0
          ? test.origin.c_str()
          : (std::to_string(runs) + (runs == 1 ? " run; " : " runs; ") + test.origin).c_str());
  std::fprintf(stderr, "%s: next: cmake -S %s -B build && cmake --build build%s\n", tree,
               shell_word(flags.output).c_str(), runs > 0 ? " && ctest --test-dir build" : "");
}

}  // namespace

namespace {

std::vector<std::string> packages_of(const GenerateFlags& flags) {
  std::set<std::string> out(flags.packages.begin(), flags.packages.end());
  if (flags.single_file) out.insert(kSingleFile);
  return {out.begin(), out.end()};
}

std::string packages_help() {
  std::string out =
      "beside CMakeLists.txt, for another build or language; repeat the flag for more:";
  for (const PackageKind& kind : package_kinds())
    out += std::string(" ") + kind.name + " (" + kind.gives + ")" +
           (&kind == &package_kinds().back() ? "" : ",");
  return out;
}

std::vector<std::string> package_names() {
  std::vector<std::string> out;
  for (const PackageKind& kind : package_kinds()) out.emplace_back(kind.name);
  return out;
}

}  // namespace

int run_generate(const GenerateFlags& flags) {
  if (!flags.test_data.empty() && flags.test_data.size() != flags.models.size())
    throw UsageError{"--test-data is given " + std::to_string(flags.test_data.size()) +
                         " times for " + std::to_string(flags.models.size()) + " models",
                     "give it once for each model, in their order"};
  Progress progress(flags.title());
  Decided decided = decide(flags, progress);
  std::vector<const ModelPlan*> models;
  for (const Compiled& one : decided.models) models.push_back(&one.plan);
  decided.own.plan.packages = packages_of(flags);
  decided.own.plan.made_from = made_from(flags, decided.own.plan, models);
  progress.aside([&] {
    if (decided.own.plan.tuning && decided.own.plan.tuning->is_foreign())
      std::fprintf(stderr, "%s: warning: none of its %zu entries is of a kernel of %s\n",
                   flags.tuning.c_str(), decided.own.plan.tuning->entries, flags.title().c_str());
    for (const Compiled& one : decided.models) print_notes(one.notes);
    if (decided.models.empty()) print_notes(decided.own.notes);
  });
  const Overview told =
      overview(decided.own.plan, analyze(decided.own), weights_bytes(decided.own.plan, models));
  // Nobody asks any more what the model meant before anything was fused, and text needs the room.
  for (Compiled& one : decided.models) forget_lowered(one);
  forget_lowered(decided.own);
  progress.now(flags.title() + ": emit");
  const auto emit = [&] {
    return located({.file = flags.title(), .node = "stage emit"},
                   [&] { return emit_tree(decided.own.plan, models); });
  };
  cpp::EmittedTree emitted = emit();
  if (flags.code_sizes) {
    progress.now(flags.title() + ": compiling the tree for its sizes");
    try {
      decided.own.plan.code_sizes = measure_code(emitted, decided.own.plan.hardware);
    } catch (const ToolFailed& failed) {
      progress.aside([&] { std::fprintf(stderr, "burin: error: %s\n", failed.what()); });
      return kExitTool;
    }
    emitted = emit();
  }
  const Location output{.file = "--output"};
  if (flags.check) {
    const std::vector<TreeChange> changes =
        located(output, [&] { return check_tree(emitted.tree, flags.output, emitted.manifest); });
    progress.aside([&] {
      for (const TreeChange& change : changes) std::printf("%s\n", to_string(change).c_str());
    });
    return changes.empty() ? kExitOk : kExitDiffers;
  }
  const std::vector<TreeChange> changes =
      located(output, [&] { return write_tree(emitted.tree, flags.output, emitted.manifest); });
  progress.aside([&] {
    std::fprintf(stderr, "%s: %zu files, %zu changed\n", flags.output.c_str(),
                 emitted.tree.entries().size() + 2, changes.size());  // the lists of files
    print_sizes(decided.own.plan, flags);
    print_summary(decided.own.plan, told, flags);
  });
  return kExitOk;
}

Command add_generate(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("generate", "write a source tree for a model and a piece of hardware");
  auto flags = std::make_shared<GenerateFlags>();
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
                   "or one of several test_data_set_<n>; of several models, once for each in their "
                   "order; default: made up, results from burin's interpreter where the network "
                   "is small enough for it")
      ->allow_extra_args(false)
      ->type_name("DIR");
  command->add_option("--package", flags->packages, packages_help())
      ->allow_extra_args(false)
      ->check(CLI::IsMember(package_names()))
      ->type_name("KIND");
  command->add_flag("--code-sizes", flags->code_sizes,
                    "also compile the tree, with the first compiler of the description, and say in "
                    "REPORT.md what its code and its stack take");
  command->add_flag("--single-file", flags->single_file,
                    "also write all sources as one, single/<name>.cpp");
  command->add_flag("--step-hook", flags->step_hook,
                    "a run tells a function of the context before every step: what takes how long "
                    "on a board, by a clock of your own");
  command->add_flag("--check", flags->check,
                    "write nothing; name what differs from the tree on disk, files among its own "
                    "that are not the tree's (unlisted) included; exit code 4 if anything does");
  command->footer(
      std::string(
          "Examples:\n"
          "  burin generate net.onnx --config x86-64-v3 --output tree\n"
          "  burin generate net.onnx --config armv8-neoverse-n1 -o tree \\\n"
          "      --name net --dim batch=1 --dim seq=1..512@128 --weights blob\n"
          "  burin generate net.onnx --config x86-64-v3 -o tree --check\n"
          "  burin generate det.onnx cls.onnx --config opencl-generic -o tree \\\n"
          "      --names det,cls --name both --parallel-fusion auto\n\n"
          "The tree: include/<name>.h is the interface, src/ the code, REPORT.md what was "
          "decided,\n"
          "manifest.json the same for programs. Compile it with c++ -std=c++17 -Iinclude -c.\n\n") +
      kExitCodesText);
  return [flags] { return run_generate(*flags); };
}

}  // namespace burin

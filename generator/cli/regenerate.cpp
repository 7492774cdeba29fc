// burin regenerate: a tree once more, with the flags that it remembers.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/generate.h"
#include "cli/recorded.h"
#include "support/diagnostics.h"
#include "support/sha256.h"
#include "support/version.h"

namespace burin {
namespace {

struct RegenerateFlags {
  std::string tree, output, external_root, links_root;
  std::vector<std::string> models;
  bool check = false;
};

// Says that it is another model; what cannot be read generate refuses.
void tell_other_model(const std::string& tree, const std::string& model) {
  const std::string before = recorded_model(tree);
  std::string now;
  try {
    now = sha256_of_file(model);
  } catch (const Refused&) {
    return;
  }
  if (before != now) {
    std::fprintf(stderr, "%s: note: made of another file than %s: SHA-256 %.12s, not %.12s\n",
                 tree.c_str(), model.c_str(), before.c_str(), now.c_str());
  }
}

int run(const RegenerateFlags& given) {
  GenerateFlags flags = recorded_flags(given.tree, given.models);
  flags.output = given.output.empty() ? given.tree : given.output;
  flags.check = given.check;
  flags.external_root = given.external_root;
  flags.links_root = given.links_root;
  const std::string wrote = recorded_version(given.tree);
  if (wrote != version()) {
    std::fprintf(stderr, "%s: note: burin %s wrote this tree, this is %s\n", given.tree.c_str(),
                 wrote.c_str(), std::string(version()).c_str());
  }
  if (given.models.size() == 1) tell_other_model(given.tree, given.models[0]);
  return run_generate(flags);
}

}  // namespace

Command add_regenerate(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("regenerate", "write a tree once more, with the flags that it remembers");
  auto flags = std::make_shared<RegenerateFlags>();
  command->add_option("tree", flags->tree, "a tree that burin generate has written")
      ->required()
      ->type_name("TREE");
  command
      ->add_option("model", flags->models,
                   "the network, as it is now; of a tree of several, all of them in their order")
      ->required()
      ->type_name("FILE");
  command->add_flag("--check", flags->check,
                    "write nothing; name what differs from the tree on disk; exit code 4 if "
                    "anything does");
  command
      ->add_option("-o,--output", flags->output,
                   "write, or compare with, a tree in this folder instead")
      ->type_name("DIR");
  add_external_root(*command, flags->external_root, flags->links_root);
  command->footer(
      std::string(
          "The flags are those in the tree's manifest.json, as REPORT.md tells them; the "
          "description of\nhardware, the tuning file, the plan lock and the test data are the "
          "copies in its made_from/.\n\n"
          "Examples:\n"
          "  burin regenerate tree net.onnx\n"
          "  burin regenerate tree net.onnx --check\n\n") +
      kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin

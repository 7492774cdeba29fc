// burin configs: the descriptions of hardware that come with burin.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/config_flag.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

struct ConfigsFlags {
  std::string name;
};

int run_configs(const ConfigsFlags& flags) {
  if (!flags.name.empty()) {
    std::fputs(config_bytes(flags.name).c_str(), stdout);
    return kExitOk;
  }
  std::vector<std::string> names = shipped_configs();
  names.emplace_back("host");
  for (const std::string& name : names) {
    const nlohmann::json description = nlohmann::json::parse(config_bytes(name));
    std::printf("%-18s %-7s %s\n", name.c_str(), description["target"].get<std::string>().c_str(),
                description["description"].get<std::string>().c_str());
  }
  return kExitOk;
}

}  // namespace

Command add_configs(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("configs", "print the descriptions of hardware that come with burin");
  auto flags = std::make_shared<ConfigsFlags>();
  command
      ->add_option("name", flags->name,
                   "print the text of one: what a description of your own begins as")
      ->type_name("NAME");
  offer(*command->get_option("name"), words_of_configs());
  command->footer(
      std::string("Every command's --config takes these names, a file, or host: the machine that "
                  "burin runs on.\n\n"
                  "Examples:\n"
                  "  burin configs\n"
                  "  burin configs cpp-generic > mine.json\n"
                  "  burin configs host > this_machine.json\n\n") +
      kExitCodesText);
  return [flags] { return run_configs(*flags); };
}

}  // namespace burin

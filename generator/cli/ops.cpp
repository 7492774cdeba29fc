// burin ops: the operator table, from the code.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "ops/api/op_table.h"

namespace burin {
namespace {

struct Flags {
  bool json = false, markdown = false;
};

std::string domain_of(const OpDef& def) { return def.domain.empty() ? "ai.onnx" : def.domain; }

std::string versions_of(const OpDef& def) {
  return std::to_string(def.since) +
         (def.until == def.since ? "" : ".." + std::to_string(def.until));
}

std::string types_of(const OpDef& def) {
  TypeSet all;
  for (const Formal& input : def.inputs) all = all | input.types;
  return def.inputs.empty() ? "" : to_string(all);
}

int run(const Flags& flags) {
  if (flags.json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const OpDef& def : op_table()) {
      nlohmann::ordered_json one{{"name", def.name},
                                 {"domain", domain_of(def)},
                                 {"since", def.since},
                                 {"until", def.until}};
      for (const Formal& input : def.inputs)
        one["inputs"].push_back({{"name", input.name}, {"types", to_string(input.types)}});
      for (const AttributeDef& attribute : def.attributes)
        one["attributes"].push_back(attribute.name);
      one["note"] = def.note;
      all.push_back(one);
    }
    std::printf("%s\n", all.dump(2).c_str());
    return kExitOk;
  }
  if (flags.markdown) {
    std::printf("| operator | domain | opsets | types | limits |\n|---|---|---|---|---|\n");
    for (const OpDef& def : op_table()) {
      std::printf("| %s | %s | %s | %s | %s |\n", def.name.c_str(), domain_of(def).c_str(),
                  versions_of(def).c_str(), types_of(def).c_str(), def.note.c_str());
    }
    return kExitOk;
  }
  for (const OpDef& def : op_table()) {
    std::printf("%-28s %-14s %-7s %s\n", def.name.c_str(), domain_of(def).c_str(),
                versions_of(def).c_str(), def.note.c_str());
  }
  return kExitOk;
}

}  // namespace

Command add_ops(CLI::App& app) {
  CLI::App* command = app.add_subcommand("ops", "print the operators that burin knows");
  auto flags = std::make_shared<Flags>();
  CLI::Option* json = command->add_flag("--json", flags->json, "as JSON, for programs");
  command->add_flag("--markdown", flags->markdown, "as the table of the README")->excludes(json);
  command->footer(
      std::string("Name, domain, opset versions that are understood, and limits. A model that "
                  "uses anything else\nis refused by name.\n\n"
                  "Example:\n"
                  "  burin ops | grep Pool\n\n") +
      kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin

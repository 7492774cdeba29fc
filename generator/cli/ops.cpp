// burin ops: the operator table, from the code.
#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "ops/api/core/op_table.h"
#include "support/diagnostics.h"
#include "support/spelling.h"

namespace burin {
namespace {

struct OpsFlags {
  std::string name;
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

// "since" and "until", where they are not those of the operator.
void add_opsets(nlohmann::ordered_json& entry, const Opsets& opsets, const OpDef& def) {
  if (opsets.first > def.since) entry["since"] = opsets.first;
  if (opsets.last < def.until) entry["until"] = opsets.last;
}

nlohmann::ordered_json operands_of(const std::vector<Formal>& formals, const OpDef& def) {
  constexpr const char* kArities[] = {"required", "optional", "variadic"};
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Formal& formal : formals) {
    nlohmann::ordered_json one{{"name", formal.name},
                               {"arity", kArities[static_cast<size_t>(formal.arity)]},
                               {"types", to_string(formal.types)}};
    add_opsets(one, formal.opsets, def);
    all.push_back(std::move(one));
  }
  return all;
}

nlohmann::ordered_json attributes_of(const OpDef& def) {
  constexpr const char* kKinds[] = {"int",   "float", "string", "tensor",
                                    "graph", "ints",  "floats", "strings"};
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const AttributeDef& attribute : def.attributes) {
    nlohmann::ordered_json one{{"name", attribute.name},
                               {"kind", kKinds[static_cast<size_t>(attribute.kind)]},
                               {"required", attribute.required}};
    add_opsets(one, attribute.opsets, def);
    all.push_back(std::move(one));
  }
  return all;
}

std::string in_lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Those with the text in their name, whatever its case.
std::vector<OpDef> named_operators(const std::string& text) {
  std::vector<OpDef> out;
  std::vector<std::string> names;
  for (const OpDef& def : op_table()) {
    names.emplace_back(def.name);
    if (in_lower(std::string(def.name)).find(in_lower(text)) != std::string::npos)
      out.push_back(def);
  }
  if (out.empty())
    refuse("unsupported-operator", "no operator has " + burin::quoted(text) + " in its name",
           did_you_mean(text, names));
  return out;
}

int run(const OpsFlags& flags) {
  const std::vector<OpDef> operators = named_operators(flags.name);
  if (flags.json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const OpDef& def : operators) {
      nlohmann::ordered_json one{{"name", def.name},
                                 {"domain", domain_of(def)},
                                 {"since", def.since},
                                 {"until", def.until}};
      one["inputs"] = operands_of(def.inputs, def);
      one["outputs"] = operands_of(def.outputs, def);
      one["attributes"] = attributes_of(def);
      one["note"] = def.note;
      all.push_back(one);
    }
    std::printf("%s\n", all.dump(2).c_str());
    return kExitOk;
  }
  if (flags.markdown) {
    std::printf("| operator | domain | opsets | types | limits |\n|---|---|---|---|---|\n");
    for (const OpDef& def : operators) {
      std::printf("| %s | %s | %s | %s | %s |\n", def.name.c_str(), domain_of(def).c_str(),
                  versions_of(def).c_str(), types_of(def).c_str(), def.note.c_str());
    }
    return kExitOk;
  }
  for (const OpDef& def : operators) {
    std::printf("%-28s %-14s %-7s %s\n", def.name.c_str(), domain_of(def).c_str(),
                versions_of(def).c_str(), def.note.c_str());
  }
  return kExitOk;
}

}  // namespace

Command add_ops(CLI::App& app) {
  CLI::App* command = app.add_subcommand("ops", "print the operators that burin knows");
  auto flags = std::make_shared<OpsFlags>();
  command->add_option("name", flags->name, "only those with this text in their name")
      ->type_name("TEXT");
  CLI::Option* json = command->add_flag("--json", flags->json, "as JSON, for programs");
  command->add_flag("--markdown", flags->markdown, "as the table of the README")->excludes(json);
  command->footer(
      std::string("Name, domain, opset versions that are understood, and limits. A model that "
                  "uses anything else\nis refused by name.\n\n"
                  "Example:\n"
                  "  burin ops Pool\n\n") +
      kExitCodesText);
  return [flags] { return run(*flags); };
}

}  // namespace burin

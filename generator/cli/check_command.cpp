// burin check: can this model become a tree at all, and what has to be said of it?
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/config_flag.h"
#include "cli/progress.h"
#include "cli/usage.h"
#include "graph/path.h"
#include "import/operators.h"
#include "lower/node_schema.h"
#include "ops/api/core/op_table.h"
#include "report/analysis.h"
#include "report/overview.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

// The one that assumes nothing of a machine.
constexpr const char* kAnyMachine = "cpp-generic";

// Names of the file, which may hold any bytes, without quotes.
std::string plain(const std::string& text) {
  const std::string out = burin::quoted(text);
  return out.substr(1, out.size() - 2);
}

std::string full_name(const std::string& domain) {
  return domain.empty() ? "ai.onnx" : plain(domain);
}

// The newest operator set of a domain that burin knows; 0: it does not know the domain.
int newest_of(const std::string& domain) {
  int out = 0;
  for (const OpDef& def : op_table()) {
    if (def.domain == domain) out = std::max(out, def.until);
  }
  return out;
}

std::string counted(int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Whether the operator is known, but not yet at a version that is newer than all that burin knows:
// that is said once, of the operator set.
bool is_only_newer(const UsedOperator& used) {
  int newest = 0;
  for (const OpDef& def : op_table()) {
    if (def.domain == used.domain && def.name == used.op) newest = std::max(newest, def.until);
  }
  return newest > 0 && newest == newest_of(used.domain) && used.version > newest;
}

// One line for each operator that burin lacks, whatever the number of its nodes.
std::vector<Diagnostic> unsupported(const UsedOperators& used, const std::string& model) {
  std::vector<Diagnostic> out;
  for (const UsedOperator& one : used.operators) {
    if (is_only_newer(one) || find_op(one.domain, one.op, static_cast<int>(one.version))) continue;
    const Refused why = [&]() -> Refused {
      Node node;
      node.op = one.op;
      node.domain = one.domain;
      node.version = static_cast<int>(one.version);
      try {
        find_definition(node);
      } catch (const Refused& refused) {
        return refused;
      }
      return Refused(Diagnostic{});
    }();
    Diagnostic line = why.diagnostics.at(0);
    line.where.file = model;
    line.message += ", which " + counted(one.nodes, "node") + (one.nodes == 1 ? " is" : " are") +
                    "; the first is " + one.first;
    out.push_back(std::move(line));
  }
  return out;
}

void print_operators(const UsedOperators& used, const std::string& model) {
  std::string sets;
  for (const auto& [domain, version] : used.opsets)
    sets += (sets.empty() ? "" : ", ") + full_name(domain) + " " + std::to_string(version);
  std::printf("%s: %s; IR version %lld; operators of %s\n", model.c_str(),
              counted(used.nodes, "node").c_str(), static_cast<long long>(used.ir_version),
              sets.c_str());
  std::map<std::string, int64_t> counts;
  for (const UsedOperator& one : used.operators)
    counts[(one.domain.empty() ? "" : plain(one.domain) + ".") + plain(one.op)] += one.nodes;
  std::vector<std::pair<std::string, int64_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [name, count] : order)
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
  std::printf("operators: %s\n", text.c_str());
}

void print_values(const char* what, const KernelGraph& graph, const std::vector<ValueId>& list) {
  for (const ValueId id : list) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    std::printf("%s: %s %s%s\n", what, burin::quoted(value.name).c_str(),
                std::string(to_string(value.type)).c_str(), to_string(value.shape).c_str());
  }
}

// The sizes that the caller gives, and what may be said of them.
void print_sizes_to_give(const Compiled& compiled) {
  for (const Symbol& symbol : compiled.plan.graph.symbols) {
    const bool open = symbol->max == kUnbounded;
    const std::string least = std::to_string(symbol->min);
    std::printf(
        "size: %s from %s to %s; %s fixes it, %s bounds it\n", burin::quoted(symbol->name).c_str(),
        least.c_str(), open ? "any" : std::to_string(symbol->max).c_str(),
        dim_flag(symbol->name, "N").c_str(), dim_flag(symbol->name, least + "..MOST").c_str());
  }
  for (const std::string& name : compiled.run_sizes)
    std::printf("dynamic size: %s; %s bounds it\n", burin::quoted(name).c_str(),
                dim_flag(name, "..MOST").c_str());
}

void print_types(const Compiled& compiled) {
  std::set<std::string> types;
  for (const TensorFacts& one : compiled.inputs) types.emplace(to_string(one.type));
  for (const NodeFacts& node : compiled.nodes) {
    for (const TensorFacts& one : node.outputs) types.emplace(to_string(one.type));
  }
  std::string text;
  for (const std::string& one : types) text += (text.empty() ? "" : ", ") + one;
  std::printf("types: %s\n", text.c_str());
}

int run_check(const CommonFlags& flags) {
  const std::string& model = flags.models.at(0);
  const UsedOperators used = operators_of(model);
  print_operators(used, model);
  std::fflush(stdout);  // in front of what is wrong
  const std::vector<Diagnostic> lacking = unsupported(used, model);
  if (!lacking.empty()) throw Refused(lacking);
  Compiled compiled;
  {
    Progress progress(model);
    CompileOptions options = compile_options(flags);
    options.progress = [&](const char* stage) { progress.now(model + ": " + stage); };
    compiled = compile(options, load_hardware_flag(kAnyMachine));
  }
  print_notes(compiled.notes);
  const KernelGraph& graph = compiled.lowered;
  print_values("input", graph, graph.inputs);
  print_values("output", graph, graph.outputs);
  print_types(compiled);
  print_sizes_to_give(compiled);
  const Analysis analysis = analyze(compiled);
  const std::string at = usual_sizes(compiled.plan);
  std::printf("parameters: %lld; multiplications: %lld%s\n",
              static_cast<long long>(compiled.parameters), static_cast<long long>(analysis.macs),
              (at.empty() ? "" : " at " + at).c_str());
  std::printf("nothing stands in its way: burin generate %s --config host --output tree\n",
              shell_word(model).c_str());
  return kExitOk;
}

}  // namespace

Command add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "check", "say whether a model can become a tree, and what has to be said of its sizes");
  auto flags = std::make_shared<CommonFlags>();
  command
      ->add_option_function<std::string>(
          "model", [flags](const std::string& model) { flags->models = {model}; },
          "the network, an ONNX file")
      ->required()
      ->type_name("FILE");
  command->add_option("--dim", flags->dims, "as of burin generate")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZE");
  add_external_root(*command, flags->external_root, flags->links_root);
  command->add_flag("--strict", flags->strict, "as of burin generate");
  command->footer(
      std::string(
          "Needs no description of hardware. Names every operator that burin lacks at once, with "
          "the number of\nits nodes, and every size that is open. Exit code 0 says that burin "
          "generate takes the model for a\nmachine without vectors.\n\n"
          "Examples:\n"
          "  burin check net.onnx\n"
          "  burin check net.onnx --dim batch=1\n\n") +
      kExitCodesText);
  return [flags] { return run_check(*flags); };
}

}  // namespace burin

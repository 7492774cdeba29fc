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
#include "missing_operators.h"
#include "plan/append/keep_states.h"
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

std::string counted(int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
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

// Where nothing is known but what the file declares: the sizes that no --dim speaks of.
void print_declared(const UsedOperators& used, const CommonFlags& flags) {
  std::set<std::string> told;
  for (const std::string& flag : flags.dims) told.insert(parse_dim_binding(flag).name);
  std::vector<std::string> sizes;
  for (const DeclaredInput& one : used.inputs) {
    std::string shape;
    for (const std::string& size : one.shape.value_or(std::vector<std::string>()))
      shape += (shape.empty() ? "" : ", ") + plain(size);
    std::printf("input: %s %s%s\n", burin::quoted(one.name).c_str(),
                one.type.empty() ? "of no tensor" : one.type.c_str(),
                one.shape ? ("[" + shape + "]").c_str() : "");
    for (const std::string& name : one.sizes) {
      if (told.insert(name).second) sizes.push_back(name);
    }
  }
  for (const std::string& name : sizes)
    std::printf("size: %s, as the file declares it; %s fixes it, %s bounds it\n",
                burin::quoted(name).c_str(), dim_flag(name, "N").c_str(),
                dim_flag(name, "1..MOST").c_str());
}

// The sizes along which an output is longer than its input, which begin with nothing.
std::string bounds_of(const KernelGraph& graph, const CallerState& state) {
  const auto shape_of = [&](const std::vector<ValueId>& list, const std::string& name) {
    for (const ValueId id : list) {
      const Value& value = graph.values[static_cast<size_t>(id)];
      if (value.name == name) return value.shape;
    }
    return std::vector<Dim>();
  };
  const std::vector<Dim> before = shape_of(graph.inputs, state.input),
                         after = shape_of(graph.outputs, state.output);
  std::string out;
  for (size_t d = 0; d < before.size(); ++d) {
    std::vector<Symbol> symbols;
    if (before[d] != after[d]) before[d].collect_symbols(symbols);
    for (const Symbol& symbol : symbols) out += " " + dim_flag(symbol->name, "0..MOST");
  }
  return out;
}

// Outputs that are an input with something behind it: what a decoder keeps from step to step.
void print_states(const KernelGraph& graph) {
  for (const CallerState& state : states_to_keep(graph)) {
    std::printf("state: --state %s%s keeps %s in the buffer of %s\n",
                shell_word(state.input + "=" + state.output).c_str(),
                bounds_of(graph, state).c_str(), burin::quoted(state.output).c_str(),
                burin::quoted(state.input).c_str());
  }
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
  const std::vector<Diagnostic> missing = missing_operators(used, model);
  if (!missing.empty()) print_declared(used, flags);
  std::fflush(stdout);  // in front of what is wrong
  if (!missing.empty()) throw Refused(missing);
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
  print_states(graph);
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

#include "backends/cpp/names.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "backends/cpp/emit_cpp.h"
#include "kernel/run_order.h"
#include "render/header_names.h"
#include "render/printed_code.h"
#include "render/printer.h"

namespace burin::cpp {

namespace {

// Headers that trees have beside <name>.h, by their stems: compilers look for all of them in the
// same folders, and file systems may ignore case.
constexpr std::string_view kOwnHeaders = " checks drawn kernels pool tree vectors ";

bool is_taken(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return is_header_name(name) || kOwnHeaders.find(" " + lower + " ") != kOwnHeaders.npos ||
         !ending_of_trees(name).empty();
}

}  // namespace

Identifier tree_name(std::string_view raw) {
  const std::string_view name = raw.empty() ? "model" : raw;
  Identifier out = mangle(name, kLongestTreeName);
  return is_taken(out.text()) ? mangle_with_hash(name, kLongestTreeName) : out;
}

std::string capitals(const Identifier& name) {
  std::string out = name.text();
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

bool is_tree_name(std::string_view name) { return !name.empty() && tree_name(name).text() == name; }

namespace {

// Macros of the tree's headers are in force in every scope.
NameTable below_macros(const TreeNames& names) {
  NameTable table;
  for (const char* macro : {"_H", "_CONTENT_H", "_MEMORY_H", "_KERNELS_H", "_ARENA_BYTES",
                            "_ARENA_ALIGN", "_THREADS_H", "_WEIGHTS_BYTES", "_WEIGHTS_ALIGN",
                            "_WEIGHTS_OFFSET", "_WEIGHTS_CRC", "_WORKERS", "_CONTENT"})
    table.reserve(mangle(names.macro + macro));
  return table;
}

// What functions of a tree call their own parameters, variables and types, on every target: what a
// size is called in a function does not depend on the target either.
NameTable function_scope(const TreeNames& names) {
  NameTable table = below_macros(names);
  for (const Identifier& own : {Identifier("arena"),
                                Identifier("arguments"),
                                Identifier("at"),
                                Identifier("begin"),
                                Identifier("bytes"),
                                Identifier("call"),
                                Identifier("capacity"),
                                Identifier("chunk"),
                                Identifier("commands"),
                                Identifier("context"),
                                Identifier("device"),
                                Identifier("device_of"),
                                Identifier("dims"),
                                Identifier("end"),
                                Identifier("fault"),
                                Identifier("images_of"),
                                Identifier("inner"),
                                Identifier("inputs"),
                                Identifier("kernels"),
                                Identifier("kernels_of"),
                                Identifier("kReady"),
                                Identifier("made"),
                                Identifier("mapped"),
                                Identifier("memory"),
                                Identifier("outer"),
                                Identifier("outputs"),
                                Identifier("outside"),
                                Identifier("p"),
                                Identifier("part"),
                                Identifier("Places"),
                                Identifier("Plan"),
                                Identifier("reachable"),
                                Identifier("reads"),
                                Identifier("reserve_images"),
                                Identifier("reserve_pooled"),
                                Identifier("reserved"),
                                Identifier("results"),
                                Identifier("status"),
                                Identifier("steps"),
                                Identifier("threads"),
                                Identifier("total"),
                                Identifier("weights"),
                                Identifier("worker"),
                                Identifier("writes")})
    table.reserve(own);
  table.reserve(names.model);
  return table;
}

void name_sizes(const ModelPlan& plan, TreeNames& names) {
  NameTable told = below_macros(names), local = function_scope(names);
  const auto add = [&](const Symbol& symbol, const std::string& original) {
    names.symbols.emplace(symbol->name, told.add(original));
    names.locals.emplace(symbol->name, local.add(original));
  };
  const auto add_found = [&](const Symbol& symbol) {
    if (symbol && !names.symbols.contains(symbol->name)) add(symbol, symbol->name + "/size");
  };
  for (const Symbol& symbol : plan.graph.symbols) add(symbol, symbol->name);
  for_each_step(plan.graph.steps, [&](const Step& step) {
    if (const Bind* bind = std::get_if<Bind>(&step)) add_found(bind->symbol);
    if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      for (const Symbol& symbol : procedure->results) add_found(symbol);
    }
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      add_found((*loop)->iteration);
      add_found((*loop)->executed);
    }
  });
  for (const NamedSize& size : plan.memory.named) add_found(size.symbol);
}

// By what a step writes, so that other steps may come and go.
void name_scratch(const ModelPlan& plan, NameTable& table, TreeNames& names) {
  std::set<StepId> with_scratch;
  for (const ScratchPlacement& scratch : plan.memory.scratch) with_scratch.insert(scratch.step);
  std::map<std::string, int> seen;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    if (!with_scratch.contains(step.id)) return;
    const std::vector<ValueId> written = writes_of(step);
    std::string original =
        written.empty() ? "" : plan.graph.values[static_cast<size_t>(written[0])].name;
    original += "/scratch";
    if (const int before = seen[original]++) original += "/" + std::to_string(before);
    names.scratch.emplace(step.id, table.add(original));
    names.strides.emplace(step.id, table.add(original + "/stride"));
  });
}

// Inputs and outputs first: they are fields that callers spell.
void name_values(const ModelPlan& plan, TreeNames& names) {
  const auto value = [&](ValueId id) -> const Value& {
    return plan.graph.values[static_cast<size_t>(id)];
  };
  NameTable table = below_macros(names);
  table.reserve(Identifier("unused"));
  for (const ValueId id : plan.graph.outputs) {
    if (!is_data_sized(value(id))) continue;
    // Fields beside the output's own.
    for (const char* field : {"/capacity", "/shape"})
      table.reserve(mangle(readable(value(id).name + field)));
  }
  for (const ValueId id : plan.graph.inputs) names.values.emplace(id, table.add(value(id).name));
  std::map<std::string, int> listed;
  for (const ValueId id : plan.graph.outputs) {
    // An output that has the name of an input is another value, and so is one that is listed again.
    const std::string& name = value(id).name;
    const int before = listed[name]++;
    names.values.emplace(id, table.add(name + (before ? "/" + std::to_string(before) : "")));
  }
  table.reserve(Identifier("bytes"));
  // Equal names of different things are told apart by what they are, then by the occurrence; both
  // are part of the original.
  std::map<std::string, int> uses, seen;
  for (const Value& one : plan.graph.values) ++uses[one.name];
  for (size_t i = 0; i < plan.graph.values.size(); ++i) {
    const Value& one = plan.graph.values[i];
    const auto id = static_cast<ValueId>(i);
    if (names.values.contains(id)) continue;
    std::string original = one.name;
    if (uses[one.name] > 1) {
      const int occurrence = seen[one.name]++;
      if (occurrence) original += "/" + std::to_string(occurrence);
      original += one.kind == ValueKind::constant ? "/constant" : "/internal";
    }
    names.values.emplace(id, table.add(original));
  }
  name_scratch(plan, table, names);
}

}  // namespace

Code ready_mark(const TreeNames& names, int number) {
  const Code content = code("static_cast<uint32_t>(", printed_code(names.macro), "_CONTENT(0x))");
  return number == 0 ? content : code(content, " + ", number);
}

Code include_guard(const Identifier& name) { return printed_code(capitals(name) + "_H"); }

TreeNames name_everything(const ModelPlan& plan) {
  const Identifier model = tree_name(plan.name);
  TreeNames names{
      model, {},
      {},    {},
      {},    {},
      {},    {model, join({model, Identifier("kernels")}), "weights/" + model.text() + ".bin"}};
  names.macro = capitals(model);
  name_sizes(plan, names);
  name_values(plan, names);
  return names;
}

}  // namespace burin::cpp

#include "backends/cpp/names.h"

#include <algorithm>
#include <cctype>

#include "hardware/capabilities.h"

namespace burin::cpp {

Identifier tree_name(std::string_view raw) {
  return mangle(raw.empty() ? "model" : raw, kLongestTreeName);
}

bool is_tree_name(std::string_view name) { return mangle(name, kLongestTreeName).text() == name; }

TreeNames name_everything(const ModelPlan& plan) {
  const Identifier model = tree_name(plan.name);
  TreeNames names{
      model,
      {},
      {},
      {},
      {model, join({model, Identifier("kernels")}), "weights/" + model.text() + ".bin"}};
  names.macro = names.model.text();
  for (char& c : names.macro) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  // One scope: the schedule function sees symbols, values and these locals.
  NameTable table;
  for (const Identifier& local :
       {Identifier("context"),   Identifier("dims"),    Identifier("inputs"),
        Identifier("outputs"),   Identifier("arena"),   Identifier("weights"),
        Identifier("status"),    Identifier("memory"),  Identifier("constants"),
        Identifier("kernels"),   Identifier("reads"),   Identifier("writes"),
        Identifier("arguments"), Identifier("results"), Identifier("call"),
        Identifier("executed"),  Identifier("p"),       Identifier("capacity"),
        Identifier("threads"),   Identifier("part"),    Identifier("begin"),
        Identifier("fault"),     Identifier("end"),     Identifier("worker")}) {
    table.reserve(local);
  }
  if (has_device(plan.hardware)) {
    for (const Identifier& local : {Identifier("at"), Identifier("commands"), Identifier("device"),
                                    Identifier("mapped"), Identifier("steps"), Identifier("total")})
      table.reserve(local);
  }
  table.reserve(names.model);
  for (const Symbol& symbol : plan.graph.symbols)
    names.symbols.emplace(symbol->name, table.add(symbol->name));
  for (const ValueId id : plan.graph.inputs) {
    names.values.emplace(id, table.add(plan.graph.values[static_cast<size_t>(id)].name));
  }
  std::map<std::string, int> listed;
  for (const ValueId id : plan.graph.outputs) {
    // An output that has the name of an input is another value, and so is one that is listed again.
    const std::string& name = plan.graph.values[static_cast<size_t>(id)].name;
    const int before = listed[name]++;
    names.values.emplace(id, table.add(name + (before ? "/" + std::to_string(before) : "")));
  }
  for_each_step(plan.graph.steps, [&](const Step& step) {
    const auto add_symbol = [&](const Symbol& symbol) {
      if (symbol && !names.symbols.contains(symbol->name)) {
        names.symbols.emplace(symbol->name, table.add(symbol->name + "/size"));
      }
    };
    if (const Bind* bind = std::get_if<Bind>(&step)) add_symbol(bind->symbol);
    if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      for (const Symbol& symbol : procedure->results) add_symbol(symbol);
    }
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      add_symbol((*loop)->iteration);
      add_symbol((*loop)->executed);
    }
  });
  for (const NamedSize& size : plan.memory.named) {
    names.symbols.emplace(size.symbol->name, table.add(size.symbol->name + "/size"));
  }
  // Equal names of different things are told apart by what they are, then by the occurrence; both
  // are part of the original.
  std::map<std::string, int> uses, seen;
  for (const Value& value : plan.graph.values) ++uses[value.name];
  for (const auto& [symbol, name] : names.symbols) ++uses[symbol];
  for (size_t i = 0; i < plan.graph.values.size(); ++i) {
    const Value& value = plan.graph.values[i];
    const auto id = static_cast<ValueId>(i);
    if (names.values.contains(id)) continue;
    std::string original = value.name;
    if (uses[value.name] > 1) {
      const int occurrence = seen[value.name]++;
      if (occurrence) original += "/" + std::to_string(occurrence);
      original += value.kind == ValueKind::constant ? "/constant" : "/internal";
    }
    names.values.emplace(id, table.add(original));
  }
  return names;
}

}  // namespace burin::cpp

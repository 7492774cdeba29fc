#include "lower/dynamism.h"

#include <algorithm>
#include <set>

namespace burin {
namespace {

bool contains_size(const std::vector<Operand>& outputs, const std::set<std::string>& names) {
  std::vector<Symbol> symbols;
  for (const Operand& output : outputs) {
    for (const Dim& dim : output.shape()) dim.collect_symbols(symbols);
  }
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Symbol& symbol) { return names.contains(symbol->name); });
}

// Whether a step loads something that neither a step before it nor the file gives.
bool loads_data(const Steps& steps, const std::vector<Value>& values) {
  std::set<ValueId> own;
  for (const Step& step : steps) {
    for (const ValueId id : reads_of(step)) {
      if (values[static_cast<size_t>(id)].kind != ValueKind::constant && !own.contains(id))
        return true;
    }
    for (const ValueId id : writes_of(step)) own.insert(id);
  }
  return false;
}

bool writes_all(const Steps& steps, const std::vector<Operand>& outputs) {
  std::set<ValueId> written;
  for (const Step& step : steps) {
    for (const ValueId id : writes_of(step)) written.insert(id);
  }
  return std::all_of(outputs.begin(), outputs.end(),
                     [&](const Operand& output) { return written.contains(output.value()); });
}

}  // namespace

bool has_block(const Node& node) {
  return std::any_of(node.attributes.begin(), node.attributes.end(), [](const Attribute& one) {
    return std::holds_alternative<std::shared_ptr<const Block>>(one.value);
  });
}

std::string dynamism_class(const Steps& steps, const std::vector<Operand>& outputs,
                           const std::vector<Value>& values) {
  std::set<std::string> found, computed;  // sizes, by who determines them
  for (const Step& step : steps) {
    if (const auto* procedure = std::get_if<Procedure>(&step)) {
      for (const Symbol& symbol : procedure->results) found.insert(symbol->name);
    } else if (const auto* bind = std::get_if<Bind>(&step)) {
      computed.insert(bind->symbol->name);
    }
  }
  if (contains_size(outputs, found)) return "EDO";
  if (contains_size(outputs, computed)) return "ISVDOS";
  if (writes_all(steps, outputs) && !loads_data(steps, values)) return "ISDO";
  return "ISDOS";
}

}  // namespace burin

// What a graph takes and gives: its inputs declared, its results made outputs.
#include <algorithm>

#include "lower/engine.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// The first operator that reads a value.
std::string reader_of(const Block& block, GraphValueId id) {
  for (const Node& node : block.nodes) {
    if (std::find(node.inputs.begin(), node.inputs.end(), id) != node.inputs.end())
      return locate(node).op;
  }
  return {};
}

}  // namespace

void check_size(Type type, const Shape& shape) {
  Dim bits = product(shape);
  bits *= Dim(size_bits(type));
}

void Engine::declare_input(GraphValueId id) {
  const GraphValue& input = graph_.values[static_cast<size_t>(id)];
  located({.op = reader_of(graph_.block, id)}, [&] {
    if (!input.container.empty())
      refuse("unsupported-type", "a graph input of kind " + input.container);
    if (input.type == Type::none) refuse("unsupported-type", "its type is not declared");
    if (input.type == Type::string) refuse("unsupported-type", "it holds strings");
  });
  if (!input.shape)
    refuse("dynamic-shape", "its rank is not declared", "re-export the model with shapes");
  check_size(input.type, *input.shape);
  Value value;
  value.name = input.name;
  value.type = input.type;
  value.shape = *input.shape;
  value.kind = ValueKind::input;
  const ValueId added = add_value(std::move(value));
  lowered_.graph.inputs.push_back(added);
  bound_[static_cast<size_t>(id)] = Operand(added, input.type, *input.shape);
}

void Engine::declare_inputs(Refusals& refusals) {
  for (const Symbol& symbol : graph_.symbols) symbol_names_.insert(symbol->name);
  lowered_.graph.name = graph_.name;
  for (const GraphValueId id : graph_.block.inputs) {
    const GraphValue& input = graph_.values[static_cast<size_t>(id)];
    refused_[static_cast<size_t>(id)] = refusals.refused(
        [&] { located({.node = "input " + quoted(input.name)}, [&] { declare_input(id); }); });
  }
  // Symbols that were solved for, or that only a held input had, are no longer anybody's to give.
  std::vector<Symbol> used;
  for (const ValueId id : lowered_.graph.inputs) {
    for (const Dim& dim : value(id).shape) dim.collect_symbols(used);
  }
  for (const Symbol& symbol : graph_.symbols) {
    const bool needed = std::any_of(used.begin(), used.end(),
                                    [&](const Symbol& one) { return one->name == symbol->name; });
    if (needed) lowered_.graph.symbols.push_back(symbol);
  }
}

// A tuple becomes one output for each of its tensors, numbered behind its name.
void Engine::finish_outputs() {
  for (const GraphValueId id : graph_.block.outputs) {
    const Operand result = operand_of(id);
    const std::string& name = graph_.values[static_cast<size_t>(id)].name;
    if (!result.tuple()) {
      finish_output(result, name);
      continue;
    }
    if (result.tuple()->bounded) {
      located({.node = "output " + quoted(name)}, [] {
        refuse("dynamic-value", "it holds as many tensors as only the run knows",
               "give what ConcatFromSequence makes of them, and SequenceLength");
      });
    }
    std::vector<Operand> tensors;
    collect_tensors(result, tensors);
    for (size_t k = 0; k < tensors.size(); ++k)
      finish_output(tensors[k], name + "_" + std::to_string(k));
  }
  if (lowered_.graph.outputs.empty())
    refuse("unsupported-type", "all outputs are empty sequences or optionals");
}

void Engine::finish_output(const Operand& result, const std::string& name) {
  if (value(result.value()).kind == ValueKind::internal) {
    value(result.value()).kind = ValueKind::output;
    value(result.value()).name = name;
    lowered_.graph.outputs.push_back(result.value());
    return;
  }
  // An input, a constant, or a tensor that is an output already: it has to be written once more.
  Value copy;
  copy.name = name;
  copy.type = result.type();
  copy.shape = result.shape();
  copy.kind = ValueKind::output;
  const Operand to(add_value(std::move(copy)), result.type(), result.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(to.shape());
  kernel.write(to, at, result.at(at));
  Kernel taken = kernel.take();
  taken.name = name;
  taken.origins = {{name, "output"}};
  steps_->push_back(std::move(taken));
  lowered_.graph.outputs.push_back(to.value());
}

}  // namespace burin

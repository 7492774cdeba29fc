// What a graph takes and gives: its inputs declared, its results made outputs.
#include <algorithm>

#include "graph/items.h"
#include "kernel/index/size_bound.h"
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
  find_packed_inputs();
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

// How the inputs that nodes put together are to be given.
void Engine::find_packed_inputs() {
  const std::vector<GraphValueId>& inputs = graph_.block.inputs;
  for (const Node& node : graph_.block.nodes) {
    if (node.op != kItemsOp || node.domain != kOwnDomain) continue;
    PackedValue packed;
    packed.nested = node.inputs.size() > 2;
    const auto first = std::find(inputs.begin(), inputs.end(), node.inputs[packed.nested ? 2 : 0]);
    if (first == inputs.end()) continue;
    packed.place = static_cast<size_t>(first - inputs.begin());
    packed.optional = node.find(kItemsOptional) != nullptr;
    if (const Attribute* axes = node.find(kItemsAxes)) {
      for (const int64_t axis : std::get<std::vector<int64_t>>(axes->value))
        packed.axes.push_back(static_cast<int>(axis));
    }
    lowered_.packed_inputs.push_back(std::move(packed));
  }
}

// One of dynamic length becomes an output for all of its tensors.
void Engine::finish_packed(const Tuple& tuple, const std::string& name) {
  const Bounded& given = *tuple.bounded;
  PackedValue packed{lowered_.graph.outputs.size(),
                     {},
                     tuple.kind == Tuple::Kind::optional,
                     static_cast<bool>(given.holds)};
  for (const auto& [axis, most] : given.most) packed.axes.push_back(axis);
  const std::string items = packed.nested ? name + "_0" : name;
  if (packed.nested) finish_output(given.holds, name);
  finish_output(given.rows, items);
  if (!packed.axes.empty())
    finish_output(extents_of(given, extents_name(items)), extents_name(items));
  lowered_.packed_outputs.push_back(std::move(packed));
}

// Where they are not at hand, what lies between the ends.
Operand Engine::extents_of(const Bounded& given, const std::string& name) {
  if (given.extents) return given.extents;
  Value extents;
  extents.name = name;
  extents.type = Type::i64;
  extents.shape = given.ends.shape();
  const Operand to(add_value(std::move(extents)), Type::i64, given.ends.shape());
  KernelBuilder builder;
  const Indices at = builder.axes(to.shape());
  const Expr here = given.ends.at(at), before = given.ends.at({max(at[0] - 1, 0)});
  builder.write(to, at, Expr::cases({{{{at[0], 0, 1}}, here}}, here - before));
  Kernel kernel = builder.take();
  kernel.name = name;
  kernel.origins = {{name, "output"}};
  steps_->push_back(std::move(kernel));
  return to;
}

// A tuple becomes one output for each of its tensors, numbered behind its name.
void Engine::finish_value(const Operand& result, const std::string& name) {
  const Tuple* tuple = result.tuple();
  if (!tuple) return finish_output(result, name);
  if (tuple->bounded) return finish_packed(*tuple, name);
  for (size_t k = 0; k < tuple->items.size(); ++k)
    finish_value(tuple->items[k], name + "_" + std::to_string(k));
}

// The shape that the file declares of an output, over numbers and sizes of the caller. The graph
// counts: exporters leave behind what they saw. Where it must be as declared, what could be
// otherwise is an assumption that the run checks.
void Engine::check_declared(const GraphValue& declared, const Operand& result) {
  if (!declared.shape || result.tuple()) return;
  const auto contradict = [&] {
    note_or_refuse({{.node = "output " + quoted(declared.name)},
                    "shape-mismatch",
                    "it is declared " + to_string(*declared.shape) + ", the model gives " +
                        to_string(result.shape()),
                    {}});
  };
  if (declared.shape->size() != result.shape().size()) return contradict();
  for (size_t d = 0; d < declared.shape->size(); ++d) {
    const Dim &said = (*declared.shape)[d], &extent = result.shape()[d];
    if (said == extent || !is_known_before_run(said)) continue;
    const std::optional<Guard> left = simplify({{extent - said, 0, 1}});
    if (!left || proven_ne(extent, said)) return contradict();
    if (left->empty()) continue;
    if (!options_.strict) {
      if (is_known_before_run(extent)) return contradict();
      continue;
    }
    const std::string what = "declared dimension " + std::to_string(d);
    steps_->push_back(Check{*left, what, {{declared.name, "output"}}});
  }
}

void Engine::finish_outputs() {
  for (const GraphValueId id : graph_.block.outputs) {
    const Operand result = operand_of(id);
    const GraphValue& declared = graph_.values[static_cast<size_t>(id)];
    const std::string& name = declared.name;
    if (!contradicted_.contains(id)) check_declared(declared, result);
    finish_value(result, name);
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
  copy.note = value(result.value()).note;
  const Operand to(add_value(std::move(copy)), result.type(), result.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(to.shape());
  kernel.write(to, at, result.at(at));
  Kernel taken = with_bytes(kernel.take(), string_bytes_);
  taken.name = name;
  taken.origins = {{name, "output"}};
  steps_->push_back(std::move(taken));
  lowered_.graph.outputs.push_back(to.value());
}

}  // namespace burin

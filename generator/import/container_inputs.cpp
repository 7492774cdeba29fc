// Inputs of the model that are sequences or optionals: an input for each tensor that one holds, or,
// where the caller says how many these are, one for all (graph/items.h); and nodes that put them
// together, so that every input of a Graph is a tensor.
#include "graph/items.h"
#include "import/element.h"
#include "import/model_reader.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr int kDeepest = 8;           // containers inside containers
constexpr int64_t kMostItems = 4096;  // of one container

Node container_node(const char* op, int version, const std::string& name) {
  Node node;
  node.name = name;
  node.op = op;
  node.version = version;
  return node;
}

[[noreturn]] void refuse_other() { refuse("type", "it holds no tensors"); }

[[noreturn]] void refuse_shapeless(const char* rule) {
  refuse(rule, "its tensors are declared without a shape",
         "declare their rank; sizes that vary may be left open or named");
}

[[noreturn]] void refuse_open(const std::string& name, bool sequence) {
  refuse("dynamic-value",
         sequence ? "the number of values in sequence " + quoted(name) + " decides the interface"
                  : "whether optional " + quoted(name) + " holds something decides the interface",
         "say it with " + dim_flag(name, sequence ? "2" : "1") + " or " +
             (sequence ? "another number" : dim_flag(name, "0")));
}

}  // namespace

std::string type_text(WireSpan span) {
  std::string text;
  TypeMessage type = decode_type(span);
  for (int depth = 0; type.inner; ++depth) {
    if (depth == kDeepest) refuse("limit", "the type has too many containers inside each other");
    text += type.kind == TypeKind::sequence ? "sequence " : "optional ";
    type = decode_type(*type.inner);
  }
  if (type.kind != TypeKind::tensor)
    refuse("type", "a type that is no tensor, sequence or optional");
  return text + std::string(to_string(element_type(type.element)));
}

GraphValueId ModelReader::add_item(const TypeMessage& type, const std::string& name,
                                   const Contents* contents, const Frame& frame, Block& block,
                                   int depth, bool of_many) {
  const GraphValueId id = add_value(name, frame);
  if (type.inner) {
    make_container(type, id, name, contents, frame, block, depth + 1, of_many);
    return id;
  }
  if (type.kind != TypeKind::tensor) refuse_other();
  TypeMessage own = type;
  if (own.shape) {
    // Each tensor of a sequence has sizes of its own, whatever the declaration calls them.
    if (of_many) {
      for (DimensionMessage& dimension : *own.shape) dimension.name = {};
    }
  } else if (contents && contents->tensor) {
    own.shape.emplace();
    for (const int64_t extent : contents->shape) own.shape->push_back({extent, {}});
  } else {
    refuse_shapeless("symbol");
  }
  declare(graph_.values[static_cast<size_t>(id)], own, true);
  block.inputs.push_back(id);
  return id;
}

GraphValueId ModelReader::add_packed(const std::string& name, Type type, std::vector<Dim> shape,
                                     const Frame& frame, Block& block) {
  const GraphValueId id = add_value(name, frame);
  GraphValue& value = graph_.values[static_cast<size_t>(id)];
  value.type = type;
  value.shape = std::move(shape);
  block.inputs.push_back(id);
  return id;
}

// One input for all that the value holds, however many these are.
void ModelReader::make_packed(const TypeMessage& type, GraphValueId id, const std::string& name,
                              const Frame& frame, Block& block) {
  const bool optional = type.kind == TypeKind::optional;
  TypeMessage item = decode_type(*type.inner);
  const bool nested = optional && item.kind == TypeKind::sequence;
  if (nested) item = decode_type(*item.inner);
  if (item.kind != TypeKind::tensor && !item.inner) refuse_other();
  if (item.inner) refuse_open(name, !optional);
  if (!item.shape) refuse_shapeless("dynamic-rank");
  const bool of_many = !optional || nested;
  const std::string items = nested ? name + "_0" : name;
  Node node = container_node(kItemsOp, 1, name);
  node.domain = kOwnDomain;
  std::vector<int64_t> axes;
  std::vector<Dim> shape;
  for (size_t axis = 0; axis < item.shape->size(); ++axis) {
    const DimensionMessage dimension = meant_dimension(*item.shape, axis);
    // Each tensor of a sequence has sizes of its own, whatever the declaration calls them.
    if (of_many && !dimension.value) {
      axes.push_back(static_cast<int64_t>(axis));
    } else {
      shape.push_back(symbols_.input(dimension, items, axis));
    }
  }
  const Dim length = symbols_.count(items, of_many ? kUnbounded : 1);
  shape.insert(shape.begin(), axes.empty() ? length : symbols_.count(items + "_total"));
  GraphValueId holds = kAbsent;
  if (nested) holds = add_packed(name, Type::i64, {}, frame, block);
  node.inputs.push_back(add_packed(items, element_type(item.element), shape, frame, block));
  if (!axes.empty()) {
    std::vector<Dim> table = {length};
    if (axes.size() > 1) table.emplace_back(static_cast<int64_t>(axes.size()));
    node.inputs.push_back(add_packed(extents_name(items), Type::i64, table, frame, block));
    node.attributes.push_back({kItemsAxes, axes});
  }
  if (nested) {
    node.inputs.resize(2, kAbsent);
    node.inputs.push_back(holds);
  }
  if (optional) node.attributes.push_back({kItemsOptional, int64_t{1}});
  node.outputs.push_back(id);
  budget_.take_nodes(1);
  block.nodes.push_back(std::move(node));
}

// Defines value `id` by a node that puts the items together.
void ModelReader::make_container(const TypeMessage& type, GraphValueId id, const std::string& name,
                                 const Contents* contents, const Frame& frame, Block& block,
                                 int depth, bool of_many) {
  if (depth == kDeepest) refuse("limit", "too many containers are inside each other");
  const bool sequence = type.kind == TypeKind::sequence;
  std::optional<int64_t> length;
  if (contents && !contents->tensor) {
    length = static_cast<int64_t>(contents->items.size());
  } else {
    length = symbols_.length(name);
  }
  if (!length && !of_many) return make_packed(type, id, name, frame, block);
  if (!length) refuse_open(name, sequence);
  const int64_t most = sequence ? kMostItems : 1;
  if (*length < 0 || *length > most) {
    refuse("symbol", quoted(name) + " cannot hold " + std::to_string(*length) +
                         " values; the most are " + std::to_string(most));
  }
  Node node = container_node(!sequence      ? "Optional"
                             : *length == 0 ? "SequenceEmpty"
                                            : "SequenceConstruct",
                             frame.opsets->version(""), name);
  const TypeMessage inner = decode_type(*type.inner);
  for (int64_t k = 0; k < *length; ++k) {
    const Contents* item =
        contents && !contents->tensor ? &contents->items[static_cast<size_t>(k)] : nullptr;
    node.inputs.push_back(add_item(inner, name + "_" + std::to_string(k), item, frame, block, depth,
                                   of_many || sequence));
  }
  node.outputs.push_back(id);
  budget_.take_nodes(1);
  block.nodes.push_back(std::move(node));
}

void ModelReader::read_container_input(const ValueInfoMessage& info, GraphValueId id,
                                       const Contents* contents, const Frame& frame, Block& block) {
  make_container(info.type, id, std::string(info.name), contents, frame, block, 0, false);
}

}  // namespace burin

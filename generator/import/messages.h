// The messages of the ONNX format, one struct each, decoded from views of the file.
//
// The field numbers are those of the public specification (onnx.proto, IR versions 3 to 14). Nested
// messages of which there may be very many stay encoded as spans until import gets to them, so that
// a file cannot make import take much more memory than the file has bytes. Metadata is let through;
// a field that is not listed is refused by its number.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "import/wire.h"

namespace burin {

struct OpsetMessage {
  std::string_view domain;
  int64_t version = 0;
};

struct ModelMessage {
  int64_t ir_version = 0;
  std::vector<OpsetMessage> opsets;
  std::optional<WireSpan> graph;
  std::vector<WireSpan> functions;
};

struct GraphMessage {
  std::string_view name;
  std::vector<WireSpan> nodes, initializers, sparse_initializers;
  std::vector<WireSpan> inputs, outputs, value_infos;
};

struct NodeMessage {
  std::string_view name, op, domain, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<WireSpan> attributes;
};

struct FunctionMessage {
  std::string_view name, domain, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<std::string_view> attributes;  // without a default
  std::vector<WireSpan> defaults;            // attributes with their default
  std::vector<WireSpan> nodes;
  std::vector<OpsetMessage> opsets;
};

enum class AttributeType : int {
  undefined = 0,
  real,
  integer,
  text,
  tensor,
  graph,
  reals,
  integers,
  texts,
  tensors,
  graphs,
  sparse_tensor,
  sparse_tensors,
  type,
  types,
};

struct AttributeMessage {
  std::string_view name, reference;  // reference: to an attribute of the function around it
  int type = 0;                      // an AttributeType; 0 in old files
  std::optional<float> real;
  std::optional<int64_t> integer;
  std::optional<std::string_view> text;
  std::optional<WireSpan> tensor, graph, sparse_tensor;
  std::vector<float> reals;
  std::vector<int64_t> integers;
  std::vector<std::string_view> texts;
  bool has_tensors = false, has_graphs = false, has_sparse_tensors = false;
  std::optional<WireSpan> value_type;
  bool has_types = false;
};

struct DimensionMessage {
  std::optional<int64_t> value;
  std::string_view name;  // dim_param
};

enum class TypeKind { none, tensor, sequence, map, optional, sparse, opaque };

struct TypeMessage {
  TypeKind kind = TypeKind::none;
  int element = 0;  // of a tensor
  std::optional<std::vector<DimensionMessage>> shape;
  std::optional<WireSpan> inner;  // of a sequence or an optional: the type of what it holds
};

struct ValueInfoMessage {
  std::string_view name;
  TypeMessage type;
};

struct TensorMessage {
  std::string_view name;
  std::vector<int64_t> dims;
  int element = 0;
  // Which of float_data (4), int32_data (5), string_data (6), int64_data (7), double_data (10) and
  // uint64_data (11) there is; 0 for none, -1 for several.
  int typed_field = 0;
  std::vector<std::string_view> typed;  // its encoded pieces; strings one each
  std::optional<std::string_view> raw;
  bool has_segment = false;
  int location = 0;  // 1: external
  std::vector<std::pair<std::string_view, std::string_view>> external;
};

// SequenceProto and OptionalProto: what a file of test data holds beside tensors.
struct ContainerMessage {
  std::string_view name;
  std::vector<WireSpan> tensors, sequences, optionals;
};

struct SparseTensorMessage {
  std::optional<TensorMessage> values, indices;
  std::vector<int64_t> dims;
};

ModelMessage decode_model(WireSpan span);
GraphMessage decode_graph(WireSpan span);
NodeMessage decode_node(WireSpan span);
FunctionMessage decode_function(WireSpan span);
AttributeMessage decode_attribute(WireSpan span);
ValueInfoMessage decode_value_info(WireSpan span);
TypeMessage decode_type(WireSpan span);
TensorMessage decode_tensor(WireSpan span);
SparseTensorMessage decode_sparse_tensor(WireSpan span);
ContainerMessage decode_container(WireSpan span);

// Only the name of a ValueInfo or a tensor: for tables of names.
std::string_view decode_value_info_name(WireSpan span);

}  // namespace burin

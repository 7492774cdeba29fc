// Decoders of the messages about values: types, shapes, tensors.
#include "import/messages.h"

namespace burin {
namespace {

DimensionMessage decode_dimension(WireSpan span) {
  DimensionMessage dimension;
  for (WireReader r(span, "TensorShapeProto.Dimension"); r.next();) {
    switch (r.field()) {
      case 1:
        dimension.value = r.once().integer();
        break;
      case 2:
        dimension.name = r.once().text();
        break;
      case 3:
        r.skip();
        break;  // denotation
      default:
        r.unknown();
    }
  }
  return dimension;
}

std::vector<DimensionMessage> decode_shape(WireSpan span) {
  std::vector<DimensionMessage> shape;
  for (WireReader r(span, "TensorShapeProto"); r.next();) {
    if (r.field() != 1) r.unknown();
    shape.push_back(decode_dimension(r.message()));
  }
  return shape;
}

void decode_tensor_type(WireSpan span, TypeMessage& type) {
  for (WireReader r(span, "TypeProto.Tensor"); r.next();) {
    switch (r.field()) {
      case 1:
        type.element = r.once().small_integer();
        break;
      case 2:
        type.shape = decode_shape(r.once().message());
        break;
      default:
        r.unknown();
    }
  }
}

// TypeProto.Sequence and TypeProto.Optional
WireSpan decode_inner_type(WireSpan span) {
  std::optional<WireSpan> inner;
  for (WireReader r(span, "TypeProto.Sequence"); r.next();) {
    if (r.field() != 1) r.unknown();
    inner = r.once().message();
  }
  return inner.value_or(WireSpan());
}

}  // namespace

TypeMessage decode_type(WireSpan span) {
  TypeMessage type;
  for (WireReader r(span, "TypeProto"); r.next();) {
    switch (r.field()) {
      case 1:
        type.kind = TypeKind::tensor;
        decode_tensor_type(r.once().message(), type);
        break;
      case 4:
        type.kind = TypeKind::sequence;
        type.inner = decode_inner_type(r.once().message());
        break;
      case 5:
        type.kind = TypeKind::map;
        break;
      case 7:
        type.kind = TypeKind::opaque;
        break;
      case 8:
        type.kind = TypeKind::sparse;
        break;
      case 9:
        type.kind = TypeKind::optional;
        type.inner = decode_inner_type(r.once().message());
        break;
      case 6:
        r.skip();
        break;  // denotation
      default:
        r.unknown();
    }
  }
  return type;
}

namespace {

std::pair<std::string_view, std::string_view> decode_entry(WireSpan span) {
  std::pair<std::string_view, std::string_view> entry;
  for (WireReader r(span, "StringStringEntryProto"); r.next();) {
    switch (r.field()) {
      case 1:
        entry.first = r.once().text();
        break;
      case 2:
        entry.second = r.once().text();
        break;
      default:
        r.unknown();
    }
  }
  return entry;
}

void append_dims(std::vector<int64_t>& dims, std::string_view encoded) {
  for (VarintReader numbers(encoded); !numbers.at_end();) dims.push_back(numbers.next());
}

}  // namespace

ValueInfoMessage decode_value_info(WireSpan span) {
  ValueInfoMessage info;
  for (WireReader r(span, "ValueInfoProto"); r.next();) {
    switch (r.field()) {
      case 1:
        info.name = r.once().text();
        break;
      case 2:
        info.type = decode_type(r.once().message());
        break;
      case 3:  // doc_string
      case 4:  // metadata_props
        r.skip();
        break;
      default:
        r.unknown();
    }
  }
  return info;
}

std::string_view decode_value_info_name(WireSpan span) {
  std::string_view name;
  for (WireReader r(span, "ValueInfoProto"); r.next();) {
    if (r.field() == 1) name = r.once().text();
  }
  return name;
}

TensorMessage decode_tensor(WireSpan span) {
  TensorMessage tensor;
  const auto typed = [&](int field, std::string_view piece) {
    tensor.typed_field = tensor.typed_field == 0 || tensor.typed_field == field ? field : -1;
    tensor.typed.push_back(piece);
  };
  for (WireReader r(span, "TensorProto"); r.next();) {
    switch (r.field()) {
      case 1:
        append_dims(tensor.dims, r.integers());
        break;
      case 2:
        tensor.element = r.once().small_integer();
        break;
      case 3:
        tensor.has_segment = true;
        break;
      case 4:
        typed(4, r.reals());
        break;
      case 5:
        typed(5, r.integers());
        break;
      case 6:
        typed(6, r.text());
        break;
      case 7:
        typed(7, r.integers());
        break;
      case 8:
        tensor.name = r.once().text();
        break;
      case 9:
        tensor.raw = r.once().text();
        break;
      case 10:
        typed(10, r.doubles());
        break;
      case 11:
        typed(11, r.integers());
        break;
      case 13:
        tensor.external.push_back(decode_entry(r.message()));
        break;
      case 14:
        tensor.location = r.once().small_integer();
        break;
      case 12:  // doc_string
      case 16:  // metadata_props
        r.skip();
        break;
      default:
        r.unknown();
    }
  }
  return tensor;
}

SparseTensorMessage decode_sparse_tensor(WireSpan span) {
  SparseTensorMessage sparse;
  for (WireReader r(span, "SparseTensorProto"); r.next();) {
    switch (r.field()) {
      case 1:
        sparse.values = decode_tensor(r.once().message());
        break;
      case 2:
        sparse.indices = decode_tensor(r.once().message());
        break;
      case 3:
        append_dims(sparse.dims, r.integers());
        break;
      default:
        r.unknown();
    }
  }
  return sparse;
}

ContainerMessage decode_container(WireSpan span) {
  ContainerMessage container;
  for (WireReader r(span, "SequenceProto"); r.next();) {
    switch (r.field()) {
      case 1:
        container.name = r.once().text();
        break;
      case 2:  // elem_type; the tensors say theirs
        r.skip();
        break;
      case 3:
        container.tensors.push_back(r.message());
        break;
      case 5:
        container.sequences.push_back(r.message());
        break;
      case 7:
        container.optionals.push_back(r.message());
        break;
      default:  // sparse tensors and maps among them
        r.unknown();
    }
  }
  return container;
}

}  // namespace burin

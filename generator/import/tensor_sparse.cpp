// Sparse tensors, made dense: indices are one number per entry (into the row-major tensor) or one
// per entry and dimension, in ascending order and each once.
#include <algorithm>
#include <cstring>

#include "import/file_tensor.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

int64_t number_at(const Tensor& tensor, int64_t i) {
  int64_t value;
  std::memcpy(&value, tensor.content.data + i * 8, sizeof value);
  return value;
}

// Position number `i` of `indices` as one number, each coordinate inside its dimension.
int64_t linear_index(const Tensor& indices, int64_t i, const std::vector<int64_t>& dims,
                     int64_t elements) {
  const auto outside = [](int64_t index, int64_t size) {
    refuse("tensor",
           "a sparse index is " + std::to_string(index) + ", the size is " + std::to_string(size));
  };
  if (indices.shape.size() == 1) {
    const int64_t index = number_at(indices, i);
    if (index < 0 || index >= elements) outside(index, elements);
    return index;
  }
  const auto rank = static_cast<int64_t>(dims.size());
  int64_t linear = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    const int64_t index = number_at(indices, i * rank + axis);
    const int64_t size = dims[static_cast<size_t>(axis)];
    if (index < 0 || index >= size) outside(index, size);
    linear = linear * size + index;
  }
  return linear;
}

}  // namespace

Tensor TensorReader::read_sparse(const SparseTensorMessage& message) {
  if (!message.values || !message.indices)
    refuse("tensor", "a sparse tensor lacks values or indices");
  const Tensor values = read(*message.values);
  const Tensor indices = read(*message.indices);
  if (size_bits(values.type) < 8) {
    refuse("tensor",
           "sparse tensors of " + std::string(to_string(values.type)) + " are not supported");
  }
  const int64_t count = values.elements();
  const auto rank = static_cast<int64_t>(message.dims.size());
  const bool linear = indices.shape == std::vector<int64_t>{count};
  if (values.shape.size() != 1 || indices.type != Type::i64 ||
      (!linear && indices.shape != std::vector<int64_t>{count, rank})) {
    refuse("tensor", "a sparse tensor has values [n] and int64 indices [n] or [n, rank]");
  }
  TensorMessage dense_header;
  dense_header.dims = message.dims;
  dense_header.element = message.values->element;
  Tensor dense = header(dense_header);
  const int64_t bytes = checked_bytes(dense);
  budget_.take_sparse(bytes);
  budget_.take_work(static_cast<int64_t>(indices.content.bytes));
  std::vector<std::byte> content(static_cast<size_t>(bytes));
  const auto size = static_cast<size_t>(size_bits(dense.type) / 8);
  int64_t last = -1;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = linear_index(indices, i, dense.shape, dense.elements());
    if (at <= last) refuse("tensor", "sparse indices are not in ascending order");
    last = at;
    std::memcpy(content.data() + static_cast<size_t>(at) * size,
                values.content.data + static_cast<size_t>(i) * size, size);
  }
  dense.content = make_constant(std::move(content));
  return dense;
}

}  // namespace burin

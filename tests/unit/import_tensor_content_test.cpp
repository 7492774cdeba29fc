// The bytes of tensors, from every field that may hold them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "import/import.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_tensor_content_test {
namespace {

using namespace onnx_writer;  // NOLINT

Tensor import_one(const Message& tensor, const ImportOptions& options = {}) {
  GraphParts parts = relu_parts();
  parts.initializers = {tensor};
  const Graph graph =
      import_model_bytes(model(onnx_writer::graph(parts)).bytes(), "m.onnx", options);
  return *graph.values[0].constant;
}

std::string bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.content.data), tensor.content.bytes};
}

template <class Element>
std::vector<Element> elements_of(const Tensor& tensor) {
  std::vector<Element> elements(tensor.content.bytes / sizeof(Element));
  if (!elements.empty()) std::memcpy(elements.data(), tensor.content.data, tensor.content.bytes);
  return elements;
}

TEST(ImportTensorContent, Raw) {
  const Tensor w = import_one(floats("w", {1.5f, -2.0f}));
  EXPECT_EQ(w.type, Type::f32);
  EXPECT_EQ(w.shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(elements_of<float>(w), (std::vector<float>{1.5f, -2.0f}));
}

// Whatever the offset in the file, elements lie aligned.
TEST(ImportTensorContent, Alignment) {
  for (size_t length = 1; length <= 8; ++length) {
    const std::string bytes = "01234567abcdefgh";
    const Tensor w = import_one(raw_tensor(std::string(length, 'w'), kDouble, {2}, bytes));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(w.content.data) % 8, 0u);
    EXPECT_EQ(bytes_of(w), bytes);
  }
}

TEST(ImportTensorContent, TypedFields) {
  const auto packed = [](int element, int64_t n, int field, const std::vector<int64_t>& values) {
    std::string bytes;
    for (const int64_t value : values) bytes += Message::varint(static_cast<uint64_t>(value));
    return tensor("w", element, {n}).text(field, bytes);
  };
  EXPECT_EQ(elements_of<float>(import_one(tensor("w", kFloat, {2}).real(4, 1).real(4, -0.5f))),
            (std::vector<float>{1, -0.5f}));
  EXPECT_EQ(elements_of<int64_t>(import_one(packed(kInt64, 2, 7, {-1, INT64_MIN}))),
            (std::vector<int64_t>{-1, INT64_MIN}));
  EXPECT_EQ(elements_of<int32_t>(import_one(packed(kInt32, 2, 5, {-1, 70000}))),
            (std::vector<int32_t>{-1, 70000}));
  EXPECT_EQ(elements_of<int8_t>(import_one(packed(kInt8, 2, 5, {-128, 127}))),
            (std::vector<int8_t>{-128, 127}));
  EXPECT_EQ(elements_of<uint8_t>(import_one(packed(kUint8, 2, 5, {0, 255}))),
            (std::vector<uint8_t>{0, 255}));
  EXPECT_EQ(elements_of<uint16_t>(import_one(packed(kFloat16, 2, 5, {0x3c00, 0xffff}))),
            (std::vector<uint16_t>{0x3c00, 0xffff}));
  EXPECT_EQ(elements_of<uint8_t>(import_one(packed(kFloat8e5m2, 1, 5, {0x7b}))),
            (std::vector<uint8_t>{0x7b}));
  EXPECT_EQ(elements_of<uint32_t>(import_one(packed(kUint32, 1, 11, {0xffffffff}))),
            (std::vector<uint32_t>{0xffffffff}));
  EXPECT_EQ(elements_of<uint8_t>(import_one(packed(kBool, 2, 5, {1, 0}))),
            (std::vector<uint8_t>{1, 0}));
  const double pi = 3.14159;
  EXPECT_EQ(elements_of<double>(import_one(
                tensor("w", kDouble, {1}).text(10, {reinterpret_cast<const char*>(&pi), 8}))),
            (std::vector<double>{pi}));
  // Packed and single entries mix.
  EXPECT_EQ(elements_of<int64_t>(import_one(packed(kInt64, 3, 7, {1, 2}).integer(7, 3))),
            (std::vector<int64_t>{1, 2, 3}));
}

// Two to a byte, the first in the low half, zero in the half that is not used.
TEST(ImportTensorContent, FourBits) {
  EXPECT_EQ(bytes_of(import_one(raw_tensor("w", kInt4, {3}, "\x21\xf3"))), "\x21\x03");
  EXPECT_EQ(bytes_of(import_one(raw_tensor("w", kUint4, {4}, "\x21\xf3"))), "\x21\xf3");
  EXPECT_EQ(bytes_of(import_one(tensor("w", kInt4, {3}).integer(5, 0x21).integer(5, 0xf3))),
            "\x21\x03");
  EXPECT_EQ(bytes_of(import_one(tensor("w", kInt4, {2}).integer(5, -1))), "\xff");
}

TEST(ImportTensorContent, StringsAndEmptyTensors) {
  const Tensor text = import_one(tensor("w", kString, {2}).text(6, "a\0b").text(6, ""));
  EXPECT_EQ(text.strings, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(import_one(tensor("w", kFloat, {3, 0})).elements(), 0);
  EXPECT_EQ(elements_of<float>(import_one(tensor("w", kFloat, {}).real(4, 7))),
            (std::vector<float>{7}));
}

TEST(ImportTensorContent, Sparse) {
  const auto dense = [](const std::vector<int64_t>& dims, const std::vector<int64_t>& numbers) {
    Message indices = tensor("", kInt64, dims);
    for (const int64_t number : numbers) indices.integer(7, number);
    GraphParts parts = relu_parts();
    parts.sparse_initializers = {
        Message().message(1, floats("w", {1, 2})).message(2, indices).integer(3, 2).integer(3, 3)};
    const Graph graph = import_model_bytes(model(onnx_writer::graph(parts)).bytes(), "m.onnx");
    return elements_of<float>(*graph.values[0].constant);
  };
  EXPECT_EQ(dense({2}, {1, 5}), (std::vector<float>{0, 1, 0, 0, 0, 2}));
  EXPECT_EQ(dense({2, 2}, {0, 2, 1, 0}), (std::vector<float>{0, 0, 1, 2, 0, 0}));
}

TEST(ImportTensorContent, TensorFile) {
  std::string name = testing::TempDir() + "burin_tensor_XXXXXX";
  const int descriptor = mkstemp(name.data());
  ASSERT_GE(descriptor, 0);
  close(descriptor);
  std::ofstream(name, std::ios::binary) << floats("x", {1, 2, 3}).bytes();
  const NamedTensor named = import_tensor(name);
  EXPECT_EQ(named.name, "x");
  EXPECT_EQ(elements_of<float>(named.tensor), (std::vector<float>{1, 2, 3}));
  std::ofstream(name, std::ios::binary) << "text";
  EXPECT_EQ(refusal([&] { import_tensor(name); }).rfind(name + ": error: byte 0: ", 0), 0u);
  std::filesystem::remove(name);
}

}  // namespace
}  // namespace burin::import_tensor_content_test

// Files that are no ONNX model are named, each with the way out; class 1 of bad input.
#include <gtest/gtest.h>

#include "import/import.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_other_formats_test {
namespace {

using namespace onnx_writer;           // NOLINT
using namespace std::string_literals;  // NOLINT

std::string line_of(const std::string& bytes) {
  return refusal([&] { import_model_bytes(bytes, "m.onnx", {}); });
}

TEST(ImportOtherFormats, AreNamedWithTheWayOut) {
  const std::pair<std::string, const char*> kCases[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n",
       "a Git LFS pointer, not the file it stands for [not-onnx]; run git lfs pull"},
      {"PK\x03\x04..........net/data.pkl...",
       "a PyTorch archive [not-onnx]; export it with torch.onnx.export(model, args, "
       "\"net.onnx\", dynamo=True)"},
      {"\x80\x02\x8a\nl",
       "a Python pickle, as older releases of PyTorch write it [not-onnx]; export it with "
       "torch.onnx.export(model, args, \"net.onnx\", dynamo=True)"},
      {"PK\x03\x04..........net.onnx...", "a zip archive [not-onnx]; unpack it first"},
      {"\x1f\x8b\x08.....", "compressed with gzip [not-onnx]; unpack it first"},
      {"\x1c\0\0\0TFL3...."s,
       "a TensorFlow Lite model [not-onnx]; convert it with python -m tf2onnx.convert --tflite "
       "FILE --output net.onnx"},
      {"\x89HDF\r\n\x1a\n....",
       "an HDF5 file, as Keras writes it [not-onnx]; convert it with tf2onnx.convert.from_keras"},
      {"GGUF\x03\0\0\0"s,
       "a GGUF file: weights for llama.cpp, without a graph [not-onnx]; export the model that it "
       "was made of to ONNX"},
      {"\x0d\0\0\0\0\0\0\0{\"w\":{\"d\":1}}"s,
       "a safetensors file: weights without a graph [not-onnx]; export the model that they belong "
       "to to ONNX"},
      {"\x08\x01\x12\x03\x0a\x01x",
       "a TensorFlow SavedModel [not-onnx]; convert its folder with python -m tf2onnx.convert "
       "--saved-model DIR --output net.onnx"},
      {"\x08\x01\x08\x80\x02\x10\x01\x42\x01x",
       "a TensorProto of shape [1, 256]: a tensor, not a model [not-onnx]; data of a model is "
       "given as --data or --test-data"},
      {"\n<!DOCTYPE HTML>\n<html>",
       "an HTML page: the download failed [not-onnx]; download the model's file itself"},
      {"<html lang=\"en\">",
       "an HTML page: the download failed [not-onnx]; download the model's file itself"},
      {"ir_version: 8\ngraph {\n",
       "a model as protobuf's text [not-onnx]; onnx.save writes the binary form"},
      {"<\n  ir_version: 8,\n  opset_import: [\"\" : 17]\n>",
       "a model as ONNX's text [not-onnx]; onnx.save writes the binary form"},
  };
  for (const auto& [bytes, said] : kCases)
    EXPECT_EQ(line_of(bytes), std::string("m.onnx: error: this is ") + said);
}

// The beginnings of these files, too short to be told, are refused as any other bytes are.
TEST(ImportOtherFormats, NoBeginningIsAModel) {
  for (const std::string& whole : {"PK\x03\x04"s, "GGUF"s, "\x1c\0\0\0TFL3."s, "\x89HDF\r\n\x1a\n"s,
                                   "\x08\x01\x12\x03\x0a\x01x"s, "\x08\x01\x10\x01"s}) {
    for (size_t length = 0; length <= whole.size(); ++length)
      EXPECT_NE(line_of(whole.substr(0, length)), "accepted") << length;
  }
}

}  // namespace
}  // namespace burin::import_other_formats_test

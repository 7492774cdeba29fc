// Files that are no ONNX model are named, each with the way out; class 1 of bad input.
#include <gtest/gtest.h>

#include "import/import.h"
#include "import/other_formats.h"
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
      {"PK\x03\x04..........config.json......model.weights.h5...",
       "a Keras archive [not-onnx]; export it with model.export(\"net.onnx\", format=\"onnx\")"},
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
      {"\x10\x01\x42\x01x\x4a\x04\0\0\0\0"s,
       "a TensorProto of shape []: a tensor, not a model [not-onnx]; data of a model is given as "
       "--data or --test-data"},
      {"\x0a\x01s\x10\x01\x1a\x02\x08\x03",
       "a SequenceProto: data, not a model [not-onnx]; data of a model is given as --data or "
       "--test-data"},
      {"\x0a\x0c\x0a\x01x\x12\x01y\x22\x04Relu\x12\x01g\x5a\x03\x0a\x01x\x62\x03\x0a\x01y",
       "a GraphProto: a graph without its model [not-onnx]; "
       "onnx.save(onnx.helper.make_model(graph), \"net.onnx\") writes the model"},
      {"\x0a\x10\x0a\x01x\x12\x0bPlaceholder\x22\x03\x08\xa7\x05",
       "a TensorFlow graph (GraphDef) [not-onnx]; convert it with python -m tf2onnx.convert "
       "--graphdef FILE --inputs X:0 --outputs Y:0 --output net.onnx"},
      {"PK\x03\x04..........x.npy....PK\x01\x02...x.npyPK\x05\x06",
       "an archive of arrays of NumPy [not-onnx]; an input is given as --input NAME=FILE of burin "
       "run"},
      {"PK\x03\x04..........net/archive_format...",
       "a PyTorch archive [not-onnx]; export it with torch.onnx.export(model, args, "
       "\"net.onnx\", dynamo=True)"},
      {"\xef\xbb\xbf<!doctype html>",
       "an HTML page: the download failed [not-onnx]; download the model's file itself"},
      {"<!-- of a server -->\n<html>",
       "an HTML page: the download failed [not-onnx]; download the model's file itself"},
      {"<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>",
       "what a server says of an error: the download failed [not-onnx]; download the model's file "
       "itself"},
      {"# by hand\nopset_import {\n  version: 17\n}\n",
       "a model as protobuf's text [not-onnx]; onnx.save writes the binary form"},
      {"graph {\n", "a model as protobuf's text [not-onnx]; onnx.save writes the binary form"},
      {"{\n  \"irVersion\": \"9\",\n",
       "a model as JSON [not-onnx]; onnx.save writes the binary form"},
      {"\n<!DOCTYPE HTML>\n<html>",
       "an HTML page: the download failed [not-onnx]; download the model's file itself"},
      {"<html lang=\"en\">",
       "an HTML page: the download failed [not-onnx]; download the model's file itself"},
      {"ir_version: 8\ngraph {\n",
       "a model as protobuf's text [not-onnx]; onnx.save writes the binary form"},
      {"\xfd\x37zXZ\0.."s, "compressed with xz [not-onnx]; unpack it first"},
      {"BZh91AY&SY", "compressed with bzip2 [not-onnx]; unpack it first"},
      {"\x28\xb5\x2f\xfd..", "compressed with zstd [not-onnx]; unpack it first"},
      {"\x04\x22\x4d\x18..", "compressed with lz4 [not-onnx]; unpack it first"},
      {"7z\xbc\xaf\x27\x1c..", "a 7z archive [not-onnx]; unpack it first"},
      {"Rar!\x1a\x07\x01", "a RAR archive [not-onnx]; unpack it first"},
      {std::string(257, 'n') + "ustar\0"s, "a tar archive [not-onnx]; unpack it first"},
      {"\x1c\0\0\0ORTM...."s,
       "a model in onnxruntime's own format [not-onnx]; take the .onnx file that it was made of"},
      {"ptrt\0\0\0\0"s,
       "an engine of TensorRT [not-onnx]; export the network that it was made of to ONNX"},
      {"7767517\n75 83\n",
       "a network of ncnn [not-onnx]; export the network that it was made of to ONNX"},
      {"<?xml version=\"1.0\"?>\n<net name=\"n\" version=\"11\">",
       "a network as OpenVINO's XML [not-onnx]; export the network that it was made of to ONNX"},
      {"\x80\x04\x95\x10",
       "a Python pickle, as older releases of PyTorch write it [not-onnx]; export it with "
       "torch.onnx.export(model, args, \"net.onnx\", dynamo=True)"},
      {"\x93NUMPY\x01\0"s,
       "an array of NumPy [not-onnx]; an input is given as --input NAME=FILE of burin run"},
      {"\x89PNG\r\n\x1a\n",
       "a picture (PNG) [not-onnx]; an input is given as --input NAME=FILE of burin run"},
      {"\xff\xd8\xff\xe0",
       "a picture (JPEG) [not-onnx]; a model is the file that onnx.save writes"},
      {"%PDF-1.7", "a PDF document [not-onnx]; a model is the file that onnx.save writes"},
      {"\x7f\x45LF\x02", "a program (ELF) [not-onnx]; a model is the file that onnx.save writes"},
      {"{\"nodes\": []}\n",
       "a text, which begins with '{\"nodes\": []}' [not-onnx]; a model is the file that onnx.save "
       "writes"},
      {"\n Entry not found, or whatever else a server says of it",
       "a text, which begins with 'Entry not found, or whatever else a serv' [not-onnx]; a model "
       "is "
       "the file that onnx.save writes"},
      {"\x02\0\0\0\0\0\0\0{}"s,
       "a safetensors file: weights without a graph [not-onnx]; export the model that they belong "
       "to to ONNX"},
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

TEST(ImportOtherFormats, FoldersAreNamedByWhatTheyHold) {
  using Names = std::vector<std::string>;
  const std::pair<Names, const char*> kCases[] = {
      {{}, "it is a folder [io]"},
      {{"a.txt", "net.onnx"}, "it is a folder [io]; the model in it is 'net.onnx'"},
      {{"a.onnx", "b.onnx", "saved_model.pb"},
       "it is a folder [io]; it holds 2 models; the first is 'a.onnx'"},
      {{"assets", "saved_model.pb", "variables"},
       "this is the folder of a TensorFlow SavedModel [not-onnx]; convert it with python -m "
       "tf2onnx.convert --saved-model DIR --output net.onnx"},
      {{"CMakeLists.txt", "made_from", "src"},
       "this is a tree that burin wrote [not-onnx]; burin regenerate TREE MODEL writes it once "
       "more"},
      {{"config.json", "model.safetensors"},
       "this is a model as transformers keeps it [not-onnx]; export it to ONNX"}};
  for (const auto& [names, line] : kCases)
    EXPECT_EQ(refusal([&] { refuse_folder(names); }), std::string("error: ") + line);
}

}  // namespace
}  // namespace burin::import_other_formats_test

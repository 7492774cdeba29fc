#include "import/other_formats.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "support/diagnostics.h"

namespace burin {
namespace {

using std::string_view;

constexpr size_t kLooked = 4096;  // bytes
constexpr int kMostDims = 64;

struct Magic {
  string_view bytes;
  const char* what;
  const char* hint;
  size_t at = 0;  // where in the file they stand
};

constexpr const char* kTorchHint =
    "export it with torch.onnx.export(model, args, \"net.onnx\", dynamo=True)";
constexpr const char* kPickle = "a Python pickle, as older releases of PyTorch write it";
constexpr const char* kUnpackHint = "unpack it first";
constexpr const char* kMadeOfHint = "export the network that it was made of to ONNX";
constexpr const char* kInputHint = "an input is given as --input NAME=FILE of burin run";
constexpr const char* kNoModelHint = "a model is the file that onnx.save writes";
constexpr Magic kMagics[] = {
    {"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not the file it stands for",
     "run git lfs pull"},
    {"\x1f\x8b", "compressed with gzip", kUnpackHint},
    {"\xfd"
     "7zXZ",
     "compressed with xz", kUnpackHint},
    {"BZh", "compressed with bzip2", kUnpackHint},
    {"\x28\xb5\x2f\xfd", "compressed with zstd", kUnpackHint},
    {"\x04\x22\x4d\x18", "compressed with lz4", kUnpackHint},
    {"7z\xbc\xaf\x27\x1c", "a 7z archive", kUnpackHint},
    {"Rar!\x1a\x07", "a RAR archive", kUnpackHint},
    {"ustar", "a tar archive", kUnpackHint, 257},
    {"\x89HDF\r\n\x1a\n", "an HDF5 file, as Keras writes it",
     "convert it with tf2onnx.convert.from_keras"},
    {"GGUF", "a GGUF file: weights for llama.cpp, without a graph",
     "export the model that it was made of to ONNX"},
    {"ORTM", "a model in onnxruntime's own format", "take the .onnx file that it was made of", 4},
    {"ptrt", "an engine of TensorRT", kMadeOfHint},
    {"ftrt", "an engine of TensorRT", kMadeOfHint},
    {"7767517\n", "a network of ncnn", kMadeOfHint},
    {"\x80\x02", kPickle, kTorchHint},
    {"\x80\x03", kPickle, kTorchHint},
    {"\x80\x04\x95", kPickle, kTorchHint},
    {"\x80\x05\x95", kPickle, kTorchHint},
    {"\x93NUMPY", "an array of NumPy", kInputHint},
    {"\x89PNG\r\n", "a picture (PNG)", kInputHint},
    {"\xff\xd8\xff", "a picture (JPEG)", kNoModelHint},
    {"%PDF-", "a PDF document", kNoModelHint},
    {"\x7f"
     "ELF",
     "a program (ELF)", kNoModelHint},
};

// A folder is what the first of these says whose file it holds.
struct Inside {
  string_view file;
  const char* what;
  const char* hint;
};
constexpr Inside kInside[] = {
    {"saved_model.pb", "the folder of a TensorFlow SavedModel",
     "convert it with python -m tf2onnx.convert --saved-model DIR --output net.onnx"},
    {"Manifest.json", "a package of Core ML", kMadeOfHint},
    {"made_from", "a tree that burin wrote", "burin regenerate TREE MODEL writes it once more"},
    {"model.safetensors", "a model as transformers keeps it", "export it to ONNX"},
    {"pytorch_model.bin", "a model as transformers keeps it", "export it to ONNX"},
};

[[noreturn]] void refuse_format(const std::string& what, const char* hint) {
  refuse("not-onnx", "this is " + what, hint);
}

string_view without_spaces(string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? string_view() : text.substr(first);
}

bool begins_with(string_view text, string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char wanted, char c) {
           return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

// A number of protobuf at the beginning of `bytes`, which it takes from them.
bool take_varint(string_view& bytes, uint64_t& out) {
  out = 0;
  for (int shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    out |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// Dimensions (field 1), none of a scalar, then the type as a number: field 2 of a ModelProto is
// text.
std::string tensor_shape(string_view bytes) {
  std::string shape = "[";
  uint64_t number = 0;
  for (int i = 0; i < kMostDims && !bytes.empty() && bytes[0] == 0x08; ++i) {
    bytes.remove_prefix(1);
    if (!take_varint(bytes, number)) return {};
    shape += (shape.size() == 1 ? "" : ", ") + std::to_string(number);
  }
  if (bytes.empty() || bytes[0] != 0x10) return {};
  bytes.remove_prefix(1);
  constexpr uint64_t kMostTypes = 64;
  if (!take_varint(bytes, number) || number == 0 || number >= kMostTypes) return {};
  return shape + "]";
}

// Which fields a message has, as bits by their numbers, up to 31; 0 if it is none to its end.
// `first`: what field 1 holds, where it is bytes.
uint32_t fields_of(string_view bytes, string_view& first) {
  uint32_t fields = 0;
  uint64_t tag = 0, number = 0;
  while (!bytes.empty()) {
    if (!take_varint(bytes, tag) || tag >> 3 == 0 || tag >> 3 > 31) return 0;
    if (!take_varint(bytes, number)) return 0;
    if ((tag & 7) == 2) {
      if (number > bytes.size()) return 0;
      if (tag >> 3 == 1 && (fields & 2) == 0) first = bytes.substr(0, number);
      bytes.remove_prefix(number);
    } else if ((tag & 7) != 0) {
      return 0;
    }
    fields |= 1u << (tag >> 3);
  }
  return fields;
}

// Parts of models, and graphs of others: field 1 of a ModelProto is a number.
void refuse_messages(string_view bytes) {
  string_view node, name;
  const auto has = [](uint32_t fields, int number) { return (fields >> number & 1) != 0; };
  if (bytes.empty() || bytes[0] != 0x0A) return;
  const uint32_t fields = fields_of(bytes, node);
  const uint32_t of_node = fields_of(node, name);
  if (has(fields, 12) && has(of_node, 4))
    refuse_format("a GraphProto: a graph without its model",
                  "onnx.save(onnx.helper.make_model(graph), \"net.onnx\") writes the model");
  if (has(of_node, 1) && has(of_node, 2) && fields < 32)
    refuse_format(
        "a TensorFlow graph (GraphDef)",
        "convert it with python -m tf2onnx.convert --graphdef FILE --inputs X:0 --outputs "
        "Y:0 --output net.onnx");
  constexpr uint32_t kElements = 0x1F8;  // fields 3 to 8: a list for each kind of element
  if (has(fields, 2) && (fields & kElements) != 0 &&
      bytes.substr(2 + node.size()).starts_with("\x10"))
    refuse_format("a SequenceProto: data, not a model",
                  "data of a model is given as --data or --test-data");
}

// Version 1, then one graph that is all the rest. A ModelProto of IR version 1 is not read either.
bool is_saved_model(string_view bytes) {
  constexpr string_view kBegin = "\x08\x01\x12";
  if (!bytes.starts_with(kBegin)) return false;
  bytes.remove_prefix(kBegin.size());
  uint64_t length = 0;
  return take_varint(bytes, length) && length > 0 && length == bytes.size() && bytes[0] == 0x0A;
}

// The length of a JSON object as 8 bytes, then the object.
bool is_safetensors(string_view bytes) {
  if (bytes.size() < 10 || bytes[8] != '{' || (bytes[9] != '"' && bytes[9] != '}')) return false;
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(bytes[static_cast<size_t>(i)]);
  return length <= bytes.size() - 8;
}

// Of a model there is a byte that is none of a text: the number of its IR version's field, the
// length of what is longer than 127 bytes.
bool is_text(string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n';
  });
}

// Whether a text of protobuf begins with a field of ModelProto, whichever comes first.
bool is_text_of_model(string_view text) {
  while (text.starts_with("#"))
    text = without_spaces(text.substr(std::min(text.size(), text.find('\n'))));
  constexpr string_view kFields[] = {
      "ir_version",    "opset_import", "producer_name", "producer_version", "domain",
      "model_version", "doc_string",   "graph",         "metadata_props",   "functions"};
  for (const string_view field : kFields) {
    if (!text.starts_with(field)) continue;
    const string_view behind = without_spaces(text.substr(field.size()));
    if (behind.starts_with(":") || behind.starts_with("{")) return true;
  }
  return false;
}

}  // namespace

void refuse_other_formats(string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (bytes.size() > magic.at && bytes.substr(magic.at).starts_with(magic.bytes))
      refuse_format(magic.what, magic.hint);
  }
  const string_view first = bytes.substr(0, kLooked);
  // Behind a 32-bit offset, which is small: a producer's name may hold the same letters.
  if (bytes.size() > 8 && bytes.substr(4, 4) == "TFL3" &&
      bytes.substr(1, 3) == string_view("\0\0\0", 3))
    refuse_format("a TensorFlow Lite model",
                  "convert it with python -m tf2onnx.convert --tflite FILE --output net.onnx");
  if (first.starts_with("PK\x03\x04")) {
    // The end has the names of all files.
    const string_view last = bytes.substr(bytes.size() - std::min(bytes.size(), kLooked));
    for (const char* own : {"data.pkl", "archive_format", "serialized_exported_program"}) {
      if (first.find(own) != first.npos || last.find(own) != last.npos)
        refuse_format("a PyTorch archive", kTorchHint);
    }
    if (last.find(".npyPK") != last.npos)
      refuse_format("an archive of arrays of NumPy", kInputHint);
    if (last.find("model.weights.h5") != last.npos)
      refuse_format("a Keras archive",
                    "export it with model.export(\"net.onnx\", format=\"onnx\")");
    refuse_format("a zip archive", kUnpackHint);
  }
  if (is_safetensors(bytes))
    refuse_format("a safetensors file: weights without a graph",
                  "export the model that they belong to to ONNX");
  if (is_saved_model(bytes))
    refuse_format(
        "a TensorFlow SavedModel",
        "convert its folder with python -m tf2onnx.convert --saved-model DIR --output net.onnx");
  if (const std::string shape = tensor_shape(first); !shape.empty())
    refuse_format("a TensorProto of shape " + shape + ": a tensor, not a model",
                  "data of a model is given as --data or --test-data");
  refuse_messages(bytes);
  constexpr string_view kByteOrderMark = "\xef\xbb\xbf";
  const string_view text =
      without_spaces(first.substr(first.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0));
  if (begins_with(text, "<!doctype html") || begins_with(text, "<html") ||
      (text.starts_with("<!--") && text.find("<html") != text.npos))
    refuse_format("an HTML page: the download failed", "download the model's file itself");
  const char* const to_binary = "onnx.save writes the binary form";
  if (is_text_of_model(text)) refuse_format("a model as protobuf's text", to_binary);
  if (text.starts_with("<") && without_spaces(text.substr(1)).starts_with("ir_version"))
    refuse_format("a model as ONNX's text", to_binary);
  if (!is_text(text) || text.empty()) return;
  if (text.starts_with("<?xml") && text.find("<Error>") != text.npos)
    refuse_format("what a server says of an error: the download failed",
                  "download the model's file itself");
  if (text.starts_with("{") && text.find("\"irVersion\"") != text.npos)
    refuse_format("a model as JSON", to_binary);
  if (text.starts_with("<?xml") && text.find("<net ") != text.npos)
    refuse_format("a network as OpenVINO's XML", kMadeOfHint);
  constexpr size_t kMostQuoted = 40;
  const size_t line = std::min(kMostQuoted, text.find_first_of("\r\n"));
  refuse_format("a text, which begins with " + quoted(std::string(text.substr(0, line))),
                kNoModelHint);
}

void refuse_folder(const std::vector<std::string>& held) {
  const auto is_model = [](const std::string& name) { return name.ends_with(".onnx"); };
  const auto model = std::find_if(held.begin(), held.end(), is_model);
  if (model != held.end()) {
    const auto count = std::count_if(held.begin(), held.end(), is_model);
    refuse("io", "it is a folder",
           count == 1
               ? "the model in it is " + quoted(*model)
               : "it holds " + std::to_string(count) + " models; the first is " + quoted(*model));
  }
  for (const Inside& one : kInside) {
    if (std::binary_search(held.begin(), held.end(), one.file)) refuse_format(one.what, one.hint);
  }
  refuse("io", "it is a folder");
}

}  // namespace burin

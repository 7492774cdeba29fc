#include "graph/tool_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace burin {
namespace {

// Of names without case and without what stands between words: those that are such a word, and
// those that begin with one.
constexpr std::array kWhole = std::to_array<std::string_view>(
    {"",           "graph",          "maingraph",      "main",        "mainmodel",
     "model",      "mymodel",        "network",        "net",         "onnx",
     "onnxgraph",  "onnxmodel",      "subgraph",       "torch",       "pytorch",
     "tensorflow", "keras",          "caffe",          "mxnet",       "cntk",
     "cntkgraph",  "chainer",        "darknet",        "test",        "testmodel",
     "testgraph",  "inference",      "inferencegraph", "forward",     "predict",
     "savedmodel", "servingdefault", "untitled",       "unnamed",     "noname",
     "exported",   "exportedmodel",  "compositemodel", "mergedmodel", "convertedmodel",
     "tvm",        "onnxseq",        "jaxmodel",       "kerasmodel",  "tfmodel",
     "torchmodel", "pytorchmodel"});
constexpr std::array kFirst = std::to_array<std::string_view>(
    {"torchjit",       "torchscript",      "torchonnx",    "pytorchonnx",     "tf2onnx",
     "tfliteonnx",     "tflite2onnx",      "keras2onnx",   "caffe2onnx",      "caffe2net",
     "mxnetconverted", "mxnetexport",      "paddlepaddle", "modelfrompaddle", "paddle2onnx",
     "paddleonnx",     "onnxgraphsurgeon", "onnxsimplif",  "onnxsim",         "onnxoptimizer",
     "onnxscript",     "onnxruntime",      "onnxmltools",  "skl2onnx",        "sklearnonnx",
     "hummingbird",    "jax2onnx",         "jaxexport",    "maingraphopt",    "mlirmodule",
     "openvino",       "ncnn2onnx",        "nnefgraph",    "chainer2onnx",    "coremltools",
     "matlabonnx",     "nnabla",           "tvmonnx",      "torchfx",         "spox",
     "ortgenai",       "functionfromtorch"});

// What Keras and others number: model_1, sequential, functional_12.
constexpr std::array kNumbered =
    std::to_array<std::string_view>({"model", "sequential", "functional", "graph", "subgraph"});

// As skl2onnx, onnxmltools and others name a graph: letters and digits at random.
bool is_random(std::string_view graph) {
  constexpr size_t kShortest = 32;
  const auto hexadecimal = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-' ||
           c == '_';
  };
  return graph.size() >= kShortest && std::all_of(graph.begin(), graph.end(), hexadecimal);
}

}  // namespace

bool is_tool_name(std::string_view graph) {
  std::string words;
  for (const char c : graph) {
    if (c >= 'A' && c <= 'Z') words += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) words += c;
  }
  const std::string_view word =
      std::string_view(words).substr(0, words.find_last_not_of("0123456789") + 1);
  return std::find(kWhole.begin(), kWhole.end(), words) != kWhole.end() ||
         std::find(kNumbered.begin(), kNumbered.end(), word) != kNumbered.end() ||
         std::any_of(kFirst.begin(), kFirst.end(),
                     [&](std::string_view first) { return words.starts_with(first); }) ||
         is_random(graph);
}

}  // namespace burin

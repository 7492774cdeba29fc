// Which names of graphs are a tool's.
#include "graph/tool_names.h"

#include <gtest/gtest.h>

namespace burin::tool_names_test {
namespace {

TEST(ToolNames, SayNothingOfTheModel) {
  for (const char* name : {"",
                           "main_graph",
                           "torch_jit",
                           "torch-jit-export",
                           "torch-jit-export_sub1",
                           "graph",
                           "Graph",
                           "tf2onnx",
                           "tf2onnx__42",
                           "Model from PaddlePaddle.",
                           "Model_from_PaddlePaddle",
                           "PaddlePaddle Graph in PIR mode",
                           "PaddlePaddle_Graph_in_dynamic_mode",
                           "paddle-onnx",
                           "onnx_graphsurgeon_graph",
                           "onnx_graphsurgeon",
                           "Network",
                           "mxnet_converted_model",
                           "pytorch-onnx",
                           "caffe2onnx",
                           "ONNXRuntime_optimized",
                           "OnnxMLTools",
                           "test-model",
                           "jax_model",
                           "keras_model",
                           "sequential",
                           "functional_12",
                           "model_3",
                           "converted_model",
                           "1f2e3d4c5b6a79881f2e3d4c5b6a7988",
                           "1f2e3d4c-5b6a-7988-1f2e-3d4c5b6a7988"})
    EXPECT_TRUE(is_tool_name(name)) << name;
}

TEST(ToolNames, AreNoModels) {
  for (const char* name : {"resnet50", "digits", "Affine", "g", "network_of_plants", "mainstream",
                           "graph_attention", "modeller", "deadbeef", "torchvision_resnet",
                           "silero_vad", "test_relu", "model_a", "sequential_lstm", "12"})
    EXPECT_FALSE(is_tool_name(name)) << name;
}

}  // namespace
}  // namespace burin::tool_names_test

// `burin diff`: what is told of two trees and models, by node.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::diff_cli_test {
namespace {

// A product, a softmax, and what is given behind them.
std::string model(const std::string& behind, const std::string& weights = "1 2 3 4",
                  int columns = 2) {
  const std::string n = std::to_string(columns);
  return tiny_model(
             "in x f32[8," + n + "]\nconst w f32[" + n + ",2] " + weights +
             "\nnode MatMul(x, w) -> a name=first\nnode Softmax(a) -> b name=share axis=0\n" +
             behind)
      .bytes;
}

const std::string kOne = "out b\n";
const std::string kTwo =
    "const v f32[2,3] 1 2 3 4 5 6\nnode MatMul(b, v) -> c name=second\nout c\n";

class DiffCli : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  ProcessResult burin(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), BURIN_PROGRAM);
    return run_process(arguments, 120);
  }
  std::string told(std::vector<std::string> arguments, int code = kExitOk) const {
    arguments.insert(arguments.begin(), "diff");
    const ProcessResult result = burin(arguments);
    EXPECT_EQ(result.exit_code, code) << result.output;
    return result.output;
  }

  const ScratchFolder folder_;
};

TEST_F(DiffCli, NothingChanged) {
  put("a.onnx", model(kOne));
  ASSERT_EQ(
      burin({"generate", path("a.onnx"), "--config", "cpp-generic", "-o", path("tree")}).exit_code,
      kExitOk);
  const std::string same = "g for cpp-generic  ->  g for cpp-generic\nno difference\n";
  EXPECT_EQ(told({path("a.onnx"), path("a.onnx"), "--exit-code"}), same);
  EXPECT_EQ(told({path("tree"), path("a.onnx"), "--exit-code"}), same);
  EXPECT_EQ(told({path("tree"), path("tree"), "--exit-code"}), same);
}

// What plan.json does not know: files that somebody changed or took away since.
TEST_F(DiffCli, EditedFilesAreTold) {
  put("a.onnx", model(kOne));
  for (const char* tree : {"tree", "edited"}) {
    ASSERT_EQ(
        burin({"generate", path("a.onnx"), "--config", "cpp-generic", "-o", path(tree)}).exit_code,
        kExitOk);
  }
  std::ofstream(path("edited/src/g.cpp"), std::ios::app) << "// mine\n";
  std::filesystem::remove(path("edited/src/kernels.h"));
  const std::string text = told({path("tree"), path("edited"), "--exit-code"}, kExitDiffers);
  EXPECT_NE(text.find("files that are not as burin wrote them: none -> "), text.npos) << text;
  EXPECT_NE(text.find("src/g.cpp (now "), text.npos) << text;
  EXPECT_NE(text.find("src/kernels.h (gone)"), text.npos) << text;
}

TEST_F(DiffCli, AKernelIsAdded) {
  put("a.onnx", model(kOne));
  put("b.onnx", model(kTwo));
  const std::string text = told({path("a.onnx"), path("b.onnx"), "--exit-code"}, kExitDiffers);
  EXPECT_NE(text.find("\n+ MatMul 'second': 48 MACs, "), std::string::npos) << text;
  EXPECT_NE(
      text.find("MACs                                   32               80   +48 (+150.0 %)"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("\n- "), std::string::npos) << text;
  EXPECT_NE(text.find("output 'c': f32[8, 3] (new)"), std::string::npos) << text;
  const std::string back = told({path("b.onnx"), path("a.onnx")});
  EXPECT_NE(back.find("\n- MatMul 'second': 48 MACs, "), std::string::npos) << back;
}

TEST_F(DiffCli, AKernelChanges) {
  put("a.onnx", model(kOne));
  put("b.onnx", model(kOne, "1 2 3 4 5 6", 3));
  const nlohmann::json json =
      nlohmann::json::parse(told({path("a.onnx"), path("b.onnx"), "--json"}));
  EXPECT_FALSE(json["same"]);
  ASSERT_EQ(json["steps"].size(), 1u) << json.dump(2);
  const nlohmann::json& step = json["steps"][0];
  EXPECT_EQ(step["kind"], "changed");
  EXPECT_EQ(step["nodes"][0]["name"], "first");
  EXPECT_EQ(step["old"]["macs"], 32);
  EXPECT_EQ(step["new"]["macs"], 48);
  EXPECT_EQ(step["changes"][0]["what"], "kernel") << step.dump(2);
  EXPECT_EQ(step["changes"][1]["what"], "macs") << step.dump(2);
  EXPECT_EQ(json["steps_the_same"], 1);
  EXPECT_EQ(json["figures"]["MACs"]["old"], 32);
  EXPECT_EQ(json["figures"]["MACs"]["new"], 48);
}

// Weights that were trained again change no kernel.
TEST_F(DiffCli, OtherWeightsAreOneLine) {
  put("a.onnx", model(kTwo));
  put("b.onnx", model(kTwo, "4 3 2 1"));
  const nlohmann::json json =
      nlohmann::json::parse(told({path("a.onnx"), path("b.onnx"), "--json"}));
  EXPECT_TRUE(json["steps"].empty()) << json.dump(2);
  ASSERT_EQ(json["facts"].size(), 2u) << json.dump(2);
  EXPECT_EQ(json["facts"][0]["what"], "model");
  EXPECT_EQ(json["facts"][1]["what"], "weights, CRC-32");
}

// Names of a model are text in a pull request, whatever they hold.
TEST_F(DiffCli, MarkdownOfHostileNames) {
  put("a.onnx", model(kOne));
  put("b.onnx", tiny_model("in x f32[8,2]\nconst w f32[2,2] 1 2 3 4\n"
                           "node MatMul(x, w) -> a name=\"|<b>`[x](y)\\x0a\"\nout a\n")
                    .bytes);
  const std::string text = told({path("a.onnx"), path("b.onnx"), "--markdown"});
  EXPECT_EQ(text.find("<b>"), std::string::npos) << text;
  EXPECT_EQ(text.find("[x](y)"), std::string::npos) << text;
  EXPECT_NE(text.find("| gone | "), std::string::npos) << text;
  // Every row of the table has its four bars.
  EXPECT_NE(text.find("| MACs | 32 | 32 |  |\n"), std::string::npos) << text;
}

TEST_F(DiffCli, WhatIsNoTree) {
  put("a.onnx", model(kOne));
  EXPECT_EQ(told({folder_.path(), path("a.onnx")}, kExitRefused),
            folder_.path() +
                ": error: the folder has no manifest.json [not-a-tree]; give a tree that burin "
                "generate has written, or a model\n");
  EXPECT_EQ(
      told({folder_.path(), path("a.onnx"), "--config", "cpp-generic"}, kExitUsage),
      "error: --config, --dim and --external-data-root are for two models [usage]; a tree has "
      "its own, which a model beside it gets\n");
}

// A device's kernels, and several networks in one tree.
TEST_F(DiffCli, EveryKindOfTree) {
  const std::string examples = BURIN_SOURCE_DIR "/generated_examples/";
  const std::string device = told({examples + "digits", examples + "digits_opencl"});
  EXPECT_NE(device.find("hardware: x86-64-v3 -> "), std::string::npos) << device;
  EXPECT_EQ(device.find("\n+ "), std::string::npos) << device;
  const std::string pair = told({examples + "softmax_sym", examples + "pair"});
  EXPECT_NE(pair.find("+ LSTM "), std::string::npos) << pair;
}

}  // namespace
}  // namespace burin::diff_cli_test

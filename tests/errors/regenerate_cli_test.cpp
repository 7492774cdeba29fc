// burin regenerate: what a tree must be to be made again, and what a wrong one says.
// tests/golden/regenerate.sh compares bytes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::regenerate_cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::string kRelu = std::string(BURIN_SOURCE_DIR) + "/tests/models/relu_sym/model.onnx";

class RegenerateCli : public testing::Test {
 protected:
  RegenerateCli() : tree_(folder_.path() + "/tree") {
    const ProcessResult made =
        run_process({BURIN_PROGRAM, "generate", kRelu, "--config", "cpp-generic", "-o", tree_}, 60);
    EXPECT_EQ(made.exit_code, kExitOk) << made.output;
  }

  Json manifest() const { return Json::parse(std::ifstream(tree_ + "/manifest.json")); }
  void put(const Json& manifest) const {
    std::ofstream(tree_ + "/manifest.json") << manifest.dump(2);
  }

  // What is said of the tree as it is now: one line, behind the place in the manifest.
  std::string said(int code, std::vector<std::string> more = {}) const {
    std::vector<std::string> command = {BURIN_PROGRAM, "regenerate", tree_, kRelu, "--check"};
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult result = run_process(command, 60);
    EXPECT_EQ(result.exit_code, code) << result.output;
    const size_t at = result.output.find("error: ");
    std::string line = at == std::string::npos ? result.output : result.output.substr(at);
    for (size_t place; (place = line.find(folder_.path() + "/")) != std::string::npos;)
      line.erase(place, folder_.path().size() + 1);
    return line;
  }

  const ScratchFolder folder_;
  const std::string tree_;
};

TEST_F(RegenerateCli, ATreeAsItWasMade) { EXPECT_EQ(said(kExitOk), ""); }

TEST_F(RegenerateCli, ValuesOfInputsOpsetsAndBytesOfStringsAreKnown) {
  const TinyModel model = tiny_model(
      "in x string[n]\nin k i64[]\nnode Identity(x) -> y\nnode Neg(k) -> z\nout y\nout z\n");
  const std::string file = folder_.path() + "/m.onnx", tree = folder_.path() + "/of_values";
  std::ofstream(file, std::ios::binary) << model.bytes;
  const ProcessResult made =
      run_process({BURIN_PROGRAM, "generate", file, "--config", "cpp-generic", "-o", tree,
                   "--input", "k=3", "--assume-opset", "13", "--string-bytes", "24"},
                  60);
  EXPECT_EQ(made.exit_code, kExitOk) << made.output;
  const Json inputs = Json::parse(std::ifstream(tree + "/manifest.json"))["inputs"];
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0]["shape"], Json::parse(R"(["n", 24])"));
  EXPECT_EQ(inputs[0]["strings"], true);
  const ProcessResult again = run_process({BURIN_PROGRAM, "regenerate", tree, file, "--check"}, 60);
  EXPECT_EQ(again.exit_code, kExitOk) << again.output;
}

TEST_F(RegenerateCli, AnotherFileIsNamed) {
  const std::string other = BURIN_SOURCE_DIR "/tests/models/softmax_sym/model.onnx";
  const ProcessResult result =
      run_process({BURIN_PROGRAM, "regenerate", tree_, other, "--check"}, 60);
  EXPECT_EQ(result.exit_code, kExitDiffers);
  EXPECT_NE(result.output.find(tree_ + ": note: made of another file than " + other + ": SHA-256 "),
            std::string::npos)
      << result.output;
}

TEST_F(RegenerateCli, AnAddedFileIsTold) {
  std::ofstream(tree_ + "/src/kernels/x.cpp") << "int x;\n";
  EXPECT_EQ(said(kExitDiffers), "unlisted src/kernels/x.cpp\n");
}

TEST_F(RegenerateCli, FoldersThatAreNoTree) {
  fs::remove(tree_ + "/manifest.json");
  EXPECT_EQ(said(kExitRefused),
            "error: the folder has no manifest.json [not-a-tree]; give a tree that burin generate "
            "has written\n");
}

TEST_F(RegenerateCli, TreesThatDoNotSayHowTheyWereMade) {
  Json json = manifest();
  json.erase("made_by");
  put(json);
  EXPECT_EQ(said(kExitRefused),
            "error: this tree does not say how it was made [not-recorded]; make it once more with "
            "burin generate and the flags of then\n");
}

TEST_F(RegenerateCli, CopiesThatWereChanged) {
  std::ofstream(tree_ + "/made_from/hardware.json", std::ios::app) << " ";
  EXPECT_EQ(said(kExitRefused),
            "error: 'tree/made_from/hardware.json' is not the file that the tree was made from "
            "[changed-copy]; restore it, or make the tree from a changed file with burin "
            "generate\n");
}

TEST_F(RegenerateCli, LinksInThePlaceOfCopies) {
  fs::rename(tree_ + "/made_from/hardware.json", folder_.path() + "/hardware.json");
  fs::create_symlink(folder_.path() + "/hardware.json", tree_ + "/made_from/hardware.json");
  EXPECT_EQ(said(kExitRefused),
            "error: 'tree/made_from/hardware.json' is no file [not-our-file]\n");
}

// A manifest decides nothing but the flags of a tree: no folder of the user, no file outside.
TEST_F(RegenerateCli, FlagsThatATreeDoesNotHave) {
  const std::pair<std::vector<std::string>, std::string> kCases[] = {
      {{"--config", "/etc/passwd"},
       "error: '/etc/passwd' is not in 'made_from/' [malformed-manifest]\n"},
      {{"--config", "made_from/../../x.json"},
       "error: 'made_from/../../x.json' is not in 'made_from/' [malformed-manifest]\n"},
      {{"--output", "elsewhere"},
       "error: this burin knows no flag '--output' of a tree [malformed-manifest]; the tree is of "
       "another version: make it once more with burin generate\n"},
      {{"--config"}, "error: the last flag has no value [malformed-manifest]\n"},
  };
  for (const auto& [flags, line] : kCases) {
    Json json = manifest();
    json["made_by"]["flags"] = flags;
    put(json);
    EXPECT_EQ(said(kExitRefused), line);
  }
}

TEST_F(RegenerateCli, AnotherNumberOfModels) {
  EXPECT_EQ(said(kExitRefused, {kRelu}),
            "error: the tree is of 1 models, not of 2 [model-count]; give each of them, in their "
            "order\n");
}

TEST_F(RegenerateCli, AnotherVersionIsTold) {
  Json json = manifest();
  json["made_by"]["burin"] = "0.0.1";
  put(json);
  EXPECT_NE(said(kExitDiffers).find("note: burin 0.0.1 wrote this tree, this is "),
            std::string::npos);
}

}  // namespace
}  // namespace burin::regenerate_cli_test

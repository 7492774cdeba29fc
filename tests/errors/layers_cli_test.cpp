// `burin verify --layers` names the node whose code is wrong; `burin run --config` and `--tree`
// compute by the tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::layers_cli_test {
namespace {

namespace fs = std::filesystem;

const std::string kGeneric = BURIN_SOURCE_DIR "/configs/cpp-generic.json";

class TreeCli : public testing::Test {
 protected:
  // Two products, so that a tensor lies between kernels.
  TreeCli() {
    put("m.onnx",
        tiny_model("in x f32[2,3]\n"
                   "const w f32[3,3] 1 0 0 0 1 0 0 0 1\nconst v f32[3,2] 1 0 0 1 0 0\n"
                   "node MatMul(x, w) -> a name=first\nnode Softmax(a) -> b name=share axis=0\n"
                   "node MatMul(b, v) -> y name=last\nout y\n")
            .bytes);
    put("x.csv", "1 2 3 4 5 6");
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  ProcessResult burin(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), BURIN_PROGRAM);
    return run_process(arguments, 120);
  }
  static std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const ScratchFolder folder_;
};

TEST_F(TreeCli, LayersAgree) {
  const ProcessResult ran =
      burin({"verify", path("m.onnx"), "--config", kGeneric, "--fast", "--layers"});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.output;
  EXPECT_NE(ran.output.find("between kernels, in the order of the run"), std::string::npos)
      << ran.output;
  EXPECT_NE(ran.output.find("none of them differs"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("top-1 the same in 2 of 2 rows"), std::string::npos) << ran.output;
}

// A compiler that doubles the sums of the softmax: what comes before it agrees.
TEST_F(TreeCli, TheFirstNodeThatDiffersIsNamed) {
  put("bad-compiler",
      "#!/bin/sh\nfor one; do case \"$one\" in *softmax*.cpp) "
      "sed -i 's/sum\\([0-9]*\\) += /sum\\1 += 2.0f * /' \"$one\";; esac; done\n"
      "exec g++ \"$@\"\n");
  fs::permissions(path("bad-compiler"), fs::perms::owner_all);
  std::string config = text_of(kGeneric);
  const size_t at = config.find("\"g++\"", config.find("\"command\""));
  ASSERT_NE(at, std::string::npos);
  config.replace(at, 5, "\"" + path("bad-compiler") + "\"");
  put("bad.json", config);
  const ProcessResult ran =
      burin({"verify", path("m.onnx"), "--config", path("bad.json"), "--layers"});
  EXPECT_EQ(ran.exit_code, kExitDiffers) << ran.output;
  EXPECT_NE(ran.output.find("the first that differs is 'b', of Softmax 'share'"), std::string::npos)
      << ran.output;
  EXPECT_NE(ran.output.find("      'a': "), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("    ! 'b': "), std::string::npos) << ran.output;
}

TEST_F(TreeCli, RunsByTheTree) {
  const ProcessResult told = burin({"run", path("m.onnx"), "--input", "x=" + path("x.csv")});
  EXPECT_EQ(told.exit_code, kExitOk) << told.output;
  const ProcessResult by_config =
      burin({"run", path("m.onnx"), "--input", "x=" + path("x.csv"), "--config", kGeneric});
  EXPECT_EQ(by_config.exit_code, kExitOk) << by_config.output;
  EXPECT_EQ(by_config.output, told.output);
  ASSERT_EQ(burin({"generate", path("m.onnx"), "--config", kGeneric, "-o", path("tree")}).exit_code,
            kExitOk);
  const std::vector<std::string> by_tree = {"run",        path("m.onnx"), "--tree",
                                            path("tree"), "--input",      "x=" + path("x.csv")};
  const ProcessResult ran = burin(by_tree);
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.output;
  EXPECT_EQ(ran.output, told.output);
  std::ofstream(path("tree/src/kernels.h"), std::ios::app) << "\n";
  const ProcessResult other = burin(by_tree);
  EXPECT_EQ(other.exit_code, kExitRefused) << other.output;
  EXPECT_NE(other.output.find("kernels.h: error: is not what burin makes of this model "
                              "[other-tree]"),
            std::string::npos)
      << other.output;
}

}  // namespace
}  // namespace burin::layers_cli_test

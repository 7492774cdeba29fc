// `burin generate --code-sizes`: what a compiler made of the tree is told by its report.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::code_sizes_cli_test {
namespace {

class CodeSizesCli : public testing::Test {
 protected:
  ProcessResult generate(const std::string& config, std::vector<std::string> more = {}) const {
    const std::string path = folder_.path() + "/m.onnx";
    std::ofstream(path, std::ios::binary)
        << tiny_model("in x f32[4,8]\nnode Softmax(x) -> y name=share axis=1\nout y\n").bytes;
    std::vector<std::string> all = {BURIN_PROGRAM, "generate",     path, "--config",
                                    config,        "--code-sizes", "-o", tree()};
    all.insert(all.end(), more.begin(), more.end());
    return run_process(all, 120);
  }
  std::string tree() const { return folder_.path() + "/tree"; }
  std::string report() const {
    std::ifstream in(tree() + "/REPORT.md");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static int64_t number_in(const std::string& text, const std::string& row) {
    std::smatch found;
    EXPECT_TRUE(std::regex_search(text, found, std::regex("\\| " + row + " \\| ([0-9]+) \\|")))
        << row << "\n"
        << text;
    return found.empty() ? -1 : std::stoll(found[1]);
  }

  const ScratchFolder folder_;
};

TEST_F(CodeSizesCli, SourcesAddUpAndTheStackHoldsTheLargestFrame) {
  const ProcessResult made = generate("cortex-m7");
  ASSERT_EQ(made.exit_code, kExitOk) << made.output;
  const std::string text = report();
  const std::regex row("\\| `(src/[^`]*)` \\| ([0-9]+) \\| ([0-9]+) \\| ([0-9]+) \\|");
  int64_t code = 0, constants = 0, frame = 0, sources = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    ++sources;
    EXPECT_TRUE(std::filesystem::exists(tree() + "/" + (*at)[1].str()));
    EXPECT_GT(std::stoll((*at)[2]), 0);
    code += std::stoll((*at)[2]);
    constants += std::stoll((*at)[3]);
    frame = std::max<int64_t>(frame, std::stoll((*at)[4]));
  }
  EXPECT_GE(sources, 3);
  EXPECT_EQ(number_in(text, "code, bytes"), code);
  EXPECT_EQ(number_in(text, "constants beside it, bytes"), constants);
  const int64_t stack = number_in(text, "deepest stack, bytes");
  EXPECT_GE(stack, frame);
  EXPECT_LE(stack, 1024);
  EXPECT_NE(text.find("The deepest stack is that of `g_"), text.npos) << text;
  // The tree remembers that it was asked for.
  const ProcessResult again = run_process(
      {BURIN_PROGRAM, "regenerate", tree(), folder_.path() + "/m.onnx", "--check"}, 120);
  EXPECT_EQ(again.exit_code, kExitOk) << again.output;
}

TEST_F(CodeSizesCli, ACompilerThatFailsIsATool) {
  std::ifstream in(std::string(BURIN_SOURCE_DIR) + "/configs/cpp-generic.json");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  for (size_t at = 0; (at = text.find("\"g++\"", at)) != text.npos; ++at)
    text.replace(at, 5, "\"no-such-compiler\"");
  text =
      std::regex_replace(text, std::regex("\"name\": \"no-such-compiler\""), "\"name\": \"g++\"");
  std::ofstream(folder_.path() + "/c.json") << text;
  const ProcessResult made = generate(folder_.path() + "/c.json");
  EXPECT_EQ(made.exit_code, kExitTool) << made.output;
  EXPECT_FALSE(std::filesystem::exists(tree()));
}

}  // namespace
}  // namespace burin::code_sizes_cli_test

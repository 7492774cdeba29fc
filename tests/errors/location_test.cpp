// Every refusal begins with the file or the flag that caused it, and names the node where one did.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "support/onnx_writer.h"
#include "support/process.h"

namespace burin::location_test {
namespace {

using namespace onnx_writer;  // NOLINT

const std::string kConfig = std::string(BURIN_SOURCE_DIR) + "/configs/cpp-generic.json";

class RefusalLocation : public ::testing::Test {
 protected:
  // What `burin analyze` says of the graph, all of stdout and stderr.
  std::string line_of(const GraphParts& parts) {
    write("m.onnx", model(graph(parts)));
    return run({"analyze", path("m.onnx"), "--config", kConfig}, kExitRefused);
  }

  static std::string run(std::vector<std::string> arguments, int code) {
    arguments.insert(arguments.begin(), BURIN_PROGRAM);
    const ProcessResult result = run_process(arguments, 120);
    EXPECT_EQ(result.exit_code, code) << result.output;
    return result.output;
  }

  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }

  void write(const std::string& name, const Message& content) {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << content.bytes();
  }

 private:
  const ScratchFolder scratch_;
};

constexpr int64_t kHuge = int64_t{1} << 40;
const char* const kTooLarge = "error: a size or index exceeds 64 bits [limit]\n";

GraphParts one_node(const Message& node, const std::vector<Message>& inputs) {
  return {.nodes = {node},
          .initializers = {},
          .inputs = inputs,
          .outputs = {value("y", kFloat, {"?", "?"})}};
}

TEST_F(RefusalLocation, TensorsBeyond64Bits) {
  EXPECT_EQ(line_of(one_node(node("Relu", {"x"}, {"y"}, {}, "act"),
                             {value("x", kFloat, {kHuge, kHuge})})),
            path("m.onnx") + ": input 'x': " + kTooLarge);
  EXPECT_EQ(line_of(one_node(node("MatMul", {"a", "b"}, {"y"}, {}, "product"),
                             {value("a", kFloat, {kHuge, 4}), value("b", kFloat, {4, kHuge})})),
            path("m.onnx") + ": node 0 'product' (MatMul): " + kTooLarge);
  // The elements can be counted, their bytes cannot.
  EXPECT_EQ(line_of(one_node(node("MatMul", {"a", "b"}, {"y"}),
                             {value("a", kFloat, {kHuge, 4}), value("b", kFloat, {4, 1 << 22})})),
            path("m.onnx") + ": node 0 (MatMul): " + kTooLarge);
}

TEST_F(RefusalLocation, DataThatTheTreeDoesNotTake) {
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"verify", path("m.onnx"), "--config", kConfig,
                                       "--data", path("data"),   "--fast"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, kExitRefused);
  };
  GraphParts parts = one_node(node("Relu", {"x"}, {"y"}), {value("x", kFloat, {"n"})});
  parts.outputs = {value("y", kFloat, {"n"})};
  write("m.onnx", model(graph(parts)));
  write("data/input_0.pb", floats("x", {}));
  write("data/output_0.pb", floats("y", {}));
  EXPECT_EQ(refused({}), path("data") +
                             ": error: input 'x' dimension 0 makes 'n' 0, which is less than 1 "
                             "[out-of-range]; allow it with --dim 'n=0..'\n");
  EXPECT_EQ(refused({"--dim", "n=1..4"}),
            path("data") +
                ": error: input 'x' dimension 0 makes 'n' 0, which is not between 1 and 4 "
                "[out-of-range]; allow it with --dim 'n=0..4'\n");
  // The hint works when it is typed.
  run({"verify", path("m.onnx"), "--config", kConfig, "--data", path("data"), "--fast", "--dim",
       "n=0.."},
      kExitOk);
}

TEST_F(RefusalLocation, DeepPathsAreShortenedInTheMiddle) {
  Message body = graph({.nodes = {node("Relu", {"nowhere"}, {"y"})},
                        .initializers = {},
                        .inputs = {},
                        .outputs = {value("y", kFloat, {})}});
  for (int i = 0; i < 20; ++i) {
    body = graph(
        {.nodes = {node("If", {"c"}, {"y"}, {graph_attribute("then_branch", body)},
                        "level" + std::to_string(19 - i))},
         .initializers = {},
         .inputs = i < 19 ? std::vector<Message>{} : std::vector<Message>{value("c", kBool, {})},
         .outputs = {value("y", kFloat, {})}});
  }
  write("m.onnx", model(body));
  EXPECT_EQ(run({"analyze", path("m.onnx"), "--config", kConfig}, kExitRefused),
            path("m.onnx") +
                ": node 0 'level0' 'then_branch' > node 0 'level1' 'then_branch' > (16 more) > "
                "node 0 'level18' 'then_branch' > node 0 'level19' 'then_branch' > node 0 (Relu) "
                "input 0: error: value 'nowhere' is not defined [graph]\n");
}

TEST_F(RefusalLocation, FoldersAreNamedByTheirFlag) {
  std::filesystem::create_directories(path("empty"));
  EXPECT_EQ(
      run({"verify", "--all", path("empty"), "--config", kConfig}, kExitRefused),
      "--all: error: no model.onnx below '" + path("empty") + "' [io]; name a folder of cases\n");
}

TEST_F(RefusalLocation, LongWordsOfACommandLineAreCutShort) {
  const std::string word(70'000, 'a');
  EXPECT_EQ(run({"analyze", word, "--config", kConfig}, kExitRefused),
            word.substr(0, 256) + "...: error: cannot be read: File name too long [io]\n");
  EXPECT_EQ(run({"analyze", "m.onnx", "--config", kConfig, "--profile", word}, kExitUsage),
            "error: --profile has no '" + word.substr(0, 96) +
                "...' [usage]; it has hosted, freestanding\n");
}

}  // namespace
}  // namespace burin::location_test

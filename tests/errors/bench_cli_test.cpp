// burin bench: what is measured, and what is said of results that are none.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"
#include "verify/bench.h"

namespace burin::bench_cli_test {
namespace {

const std::string kBenchModel = BURIN_SOURCE_DIR "/tests/models/lstm/model.onnx";

ProcessResult bench_says(std::vector<std::string> more) {
  more.insert(more.begin(), {BURIN_PROGRAM, "bench", kBenchModel, "--config", "cpp-generic",
                             "--dim", "seq=1..8@4", "--dim", "batch=1..8@2", "--seconds", "0.001"});
  return run_process(more, 300);
}

// Of times nothing is asserted but that there are some.
TEST(BenchCli, TellsWholeRunsAndKernels) {
  const ScratchFolder folder;
  const ProcessResult result = bench_says({"--json"});
  ASSERT_EQ(result.exit_code, kExitOk) << result.output;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json["sizes"], "'seq' = 4, 'batch' = 2");
  ASSERT_EQ(json["whole"].size(), 1u);
  EXPECT_GE(json["whole"][0]["runs"], 3);
  EXPECT_GT(json["whole"][0]["median_ns"], 0);
  EXPECT_LE(json["whole"][0]["least_ns"], json["whole"][0]["median_ns"]);
  ASSERT_EQ(json["kernels"].size(), 3u);
  int64_t macs = 0;
  for (const auto& kernel : json["kernels"]) {
    EXPECT_EQ(kernel["calls"], 1);
    EXPECT_GT(kernel["ns"], 0);
    EXPECT_EQ(kernel["nodes"][0]["op"], "LSTM");
    EXPECT_GT(kernel["predicted_ns"], 0);
    macs += kernel["macs"].get<int64_t>();
  }
  EXPECT_EQ(json["macs"], macs);
  EXPECT_LE(json["rank_correlation_percent"], 100);
  EXPECT_GE(json["rank_correlation_percent"], -100);
  // The same result is read back, and stands beside a new one.
  std::ofstream(folder.path() + "/before.json") << result.output;
  const BenchResult before = read_bench(folder.path() + "/before.json");
  EXPECT_EQ(before.kernels.size(), 3u);
  BenchResult now = before;
  now.whole[0].median_ns = 2 * before.whole[0].median_ns;
  const std::string text = to_text(now, before);
  EXPECT_NE(text.find(", 2.00 times"), std::string::npos) << text;
  for (const KernelTime& kernel : before.kernels)
    EXPECT_NE(text.find(kernel.name), std::string::npos) << text;
}

// What a tree says of itself is enough for its times.
TEST(BenchCli, ATreeAlone) {
  const std::string tree = BURIN_SOURCE_DIR "/generated_examples/softmax_sym";
  const std::vector<std::string> command = {BURIN_PROGRAM, "bench", tree, "--seconds", "0.001"};
  const ProcessResult text = run_process(command, 300);
  ASSERT_EQ(text.exit_code, kExitOk) << text.output;
  EXPECT_NE(
      text.output.find("\nnot told: predicted times, and inputs that are lengths or positions, "
                       "are known with the model alone: burin bench MODEL --tree " +
                       tree + "\n"),
      std::string::npos)
      << text.output;
  std::vector<std::string> with_json = command;
  with_json.emplace_back("--json");
  const ProcessResult result = run_process(with_json, 300);
  ASSERT_EQ(result.exit_code, kExitOk) << result.output;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json["model"], "softmax_sym");
  EXPECT_EQ(json["hardware"], "cpp-generic");
  EXPECT_EQ(json["sizes"], "'batch' = 64, 'rows' = 64, 'cols' = 64");
  ASSERT_EQ(json["kernels"].size(), 2u);
  for (const auto& kernel : json["kernels"]) {
    EXPECT_EQ(kernel["calls"], 1);
    EXPECT_GT(kernel["ns"], 0);
    EXPECT_GT(kernel["least_ns"], 0);
    EXPECT_EQ(kernel["nodes"][0]["op"], "Softmax");
  }
}

// A tree alone and the same tree beside its model are the same functions.
TEST(BenchCli, ATreeAloneHasTheKernelsOfItsModel) {
  const std::string tree = BURIN_SOURCE_DIR "/generated_examples/lstm";
  const auto kernels = [&](std::vector<std::string> command) {
    command.insert(command.begin(), {BURIN_PROGRAM, "bench"});
    command.insert(command.end(), {"--seconds", "0.001", "--json"});
    const ProcessResult result = run_process(command, 300);
    EXPECT_EQ(result.exit_code, kExitOk) << result.output;
    std::map<std::string, std::vector<int64_t>> out;
    const auto json = nlohmann::json::parse(result.output);
    for (const auto& kernel : json["kernels"])
      out[kernel["name"]] = {kernel["macs"], kernel["least_ns"], kernel["calls"]};
    return out;
  };
  const auto alone = kernels({tree});
  EXPECT_EQ(alone.size(), 3u);
  EXPECT_EQ(alone, kernels({kBenchModel, "--tree", tree}));
}

TEST(BenchCli, LaunchesOfADevice) {
  for (const std::vector<std::string>& of :
       {std::vector<std::string>{BURIN_SOURCE_DIR "/generated_examples/digits_opencl"},
        std::vector<std::string>{BURIN_SOURCE_DIR "/tests/digits/digits.onnx", "--config",
                                 "opencl-generic", "--dim", "batch=2"}}) {
    std::vector<std::string> command = {BURIN_PROGRAM, "bench", "--seconds", "0.001", "--json"};
    command.insert(command.end(), of.begin(), of.end());
    const ProcessResult result = run_process(command, 300);
    ASSERT_EQ(result.exit_code, kExitOk) << result.output;
    const auto json = nlohmann::json::parse(result.output);
    ASSERT_EQ(json["kernels"].size(), 10u);
    int64_t macs = 0;
    for (const auto& kernel : json["kernels"]) {
      EXPECT_EQ(kernel["calls"], 1);
      EXPECT_GT(kernel["ns"], 0);
      EXPECT_EQ(kernel["predicted_ns"], 0);
      macs += kernel["macs"].get<int64_t>();
    }
    EXPECT_EQ(json["macs"], macs);
  }
}

// Sizes are told by their names in the model, so that figures of both ways are of one thing.
TEST(BenchCli, ATreeAloneTellsNamesOfTheModel) {
  const ScratchFolder folder;
  const std::string model = folder.path() + "/m.onnx", tree = folder.path() + "/tree";
  std::ofstream(model, std::ios::binary)
      << tiny_model("in x f32[\"batch size\",3]\nnode Relu(x) -> y\nout y\n").bytes;
  const ProcessResult made = run_process({BURIN_PROGRAM, "generate", model, "--config",
                                          "cpp-generic", "--dim", "batch size=1..9@5", "-o", tree},
                                         120);
  ASSERT_EQ(made.exit_code, kExitOk) << made.output;
  for (const std::vector<std::string>& of :
       {std::vector<std::string>{tree}, std::vector<std::string>{model, "--tree", tree}}) {
    std::vector<std::string> command = {BURIN_PROGRAM, "bench", "--seconds", "0.001", "--json"};
    command.insert(command.end(), of.begin(), of.end());
    const ProcessResult result = run_process(command, 300);
    ASSERT_EQ(result.exit_code, kExitOk) << result.output;
    EXPECT_EQ(nlohmann::json::parse(result.output)["sizes"], "'batch size' = 5");
  }
}

// How much an output of dynamic size takes is no part of a manifest: there is room for it.
TEST(BenchCli, ATreeAloneWhoseOutputHasADynamicSize) {
  const ScratchFolder folder;
  const std::string tree = folder.path() + "/tree";
  const ProcessResult made =
      run_process({BURIN_PROGRAM, "generate", BURIN_SOURCE_DIR "/tests/models/nonzero/model.onnx",
                   "--config", "cpp-generic", "-o", tree},
                  120);
  ASSERT_EQ(made.exit_code, kExitOk) << made.output;
  const ProcessResult result =
      run_process({BURIN_PROGRAM, "bench", tree, "--seconds", "0.001", "--json"}, 300);
  EXPECT_EQ(result.exit_code, kExitOk) << result.output;
}

TEST(BenchCli, ATreeAloneHasItsOwnFlags) {
  const std::string examples = BURIN_SOURCE_DIR "/generated_examples/", tree = examples + "lstm";
  const auto says = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {BURIN_PROGRAM, "bench"});
    const ProcessResult result = run_process(more, 60);
    EXPECT_NE(result.exit_code, kExitOk);
    return result.output;
  };
  EXPECT_EQ(says({tree, "--half", "storage"}),
            "error: --half is of models, and '" + tree +
                "' is a tree [usage]; a tree has its own flags\n");
  EXPECT_EQ(says({tree, "--config", "host"}),
            "error: --config is of models, and '" + tree +
                "' is a tree [usage]; a tree has its own flags\n");
  EXPECT_EQ(says({tree, "--tree", "t"}), "error: '" + tree +
                                             "' is a tree, not the model of --tree [usage]; burin "
                                             "bench " +
                                             tree + ", or burin bench MODEL --tree t\n");
  EXPECT_NE(says({examples + "pair"}).find("[model-count]"), std::string::npos);
  EXPECT_EQ(says({examples}), examples +
                                  ": error: the folder has no manifest.json [not-a-tree]; "
                                  "give a tree that burin generate has written\n");
  EXPECT_EQ(says({tree + "x"}),
            tree + "x: error: cannot be read: No such file or directory [io]\n");
}

// A manifest comes from anywhere: what is no name, no file and no size becomes no code.
TEST(BenchCli, AManifestOfSomebodyElse) {
  const ScratchFolder folder;
  const std::string tree = folder.path() + "/tree";
  const auto says = [&](const std::string& what, const std::string& by) {
    std::filesystem::remove_all(tree);
    std::filesystem::copy(BURIN_SOURCE_DIR "/generated_examples/softmax_sym", tree,
                          std::filesystem::copy_options::recursive);
    std::ifstream in(tree + "/manifest.json");
    std::string text(std::istreambuf_iterator<char>(in), {});
    const size_t at = text.find(what);
    EXPECT_NE(at, text.npos) << what;
    text.replace(at, what.size(), by);
    std::ofstream(tree + "/manifest.json") << text;
    const ProcessResult result = run_process({BURIN_PROGRAM, "bench", tree}, 60);
    EXPECT_EQ(result.exit_code, kExitRefused) << result.output;
    const size_t error = result.output.find("error: ");
    return error == std::string::npos ? result.output : result.output.substr(error);
  };
  EXPECT_EQ(says("\"c_name\": \"x\"", "\"c_name\": \"x; }\""),
            "error: 'x; }' is no name in C [malformed-manifest]\n");
  EXPECT_EQ(says("\"name\": \"softmax_sym\"", "\"name\": \"a b\""),
            "error: 'a b' is no name in C [malformed-manifest]\n");
  EXPECT_EQ(says("\"src/softmax_sym.cpp\"", "\"../softmax_sym.cpp\""),
            "error: '../softmax_sym.cpp' is no file of a tree [malformed-manifest]\n");
  EXPECT_EQ(says("\"type\": \"f32\"", "\"type\": \"f33\""),
            "error: this is no type of a tensor [malformed-manifest]\n");
  EXPECT_EQ(says("[\"batch\", ", "[\"batch*\", "),
            "error: 'batch*' is no size [malformed-manifest]\n");
}

// What lies in the folder is what is compiled, as somebody edited it.
TEST(BenchCli, ATreeOnDisk) {
  const ScratchFolder folder;
  const std::string tree = folder.path() + "/tree", source = tree + "/src/lstm.cpp";
  const ProcessResult made =
      run_process({BURIN_PROGRAM, "generate", kBenchModel, "--config", "cpp-generic", "--dim",
                   "seq=1..8@3", "--dim", "batch=1..8@2", "-o", tree},
                  120);
  ASSERT_EQ(made.exit_code, kExitOk) << made.output;
  const std::vector<std::string> command = {BURIN_PROGRAM, "bench",     kBenchModel, "--tree",
                                            tree,          "--seconds", "0.001",     "--json"};
  const ProcessResult result = run_process(command, 300);
  ASSERT_EQ(result.exit_code, kExitOk) << result.output;
  EXPECT_EQ(nlohmann::json::parse(result.output)["sizes"], "'seq' = 3, 'batch' = 2");
  const ProcessResult other = run_process(
      {BURIN_PROGRAM, "bench", BURIN_SOURCE_DIR "/tests/models/attention_shape_chain/model.onnx",
       "--tree", tree},
      60);
  EXPECT_EQ(other.exit_code, kExitRefused) << other.output;
  EXPECT_NE(other.output.find("[another-tree]"), std::string::npos) << other.output;
  std::ofstream(source, std::ios::app) << "#error edited\n";
  const ProcessResult edited = run_process(command, 300);
  EXPECT_EQ(edited.exit_code, kExitTool) << edited.output;
  EXPECT_NE(edited.output.find("#error edited"), std::string::npos) << edited.output;
}

TEST(BenchCli, OneOfADescriptionAndATree) {
  const auto says = [](const std::vector<std::string>& more) {
    std::vector<std::string> command = {BURIN_PROGRAM, "bench", kBenchModel};
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult result = run_process(command, 60);
    EXPECT_EQ(result.exit_code, kExitUsage);
    return result.output.substr(0, result.output.find(" [usage]"));
  };
  EXPECT_EQ(says({}), "error: --config or --tree is required");
  EXPECT_EQ(says({"--config", "host", "--tree", "t"}),
            "error: --tree goes without --config and --dim");
  EXPECT_EQ(says({"--tree", "t", "--half", "storage"}), "error: --half excludes --tree");
}

TEST(BenchCli, ANodeIsNamedOnce) {
  std::vector<Origin> nodes = {{"a", "Relu"}};
  add_nodes({{"a", "Relu"}, {"b", "Relu"}}, nodes);
  add_nodes({{"b", "Relu"}, {"a", "Neg"}}, nodes);
  EXPECT_EQ(nodes, (std::vector<Origin>{{"a", "Relu"}, {"b", "Relu"}, {"a", "Neg"}}));
}

TEST(BenchCli, RankCorrelation) {
  const auto kernels = [](const std::vector<std::pair<int64_t, int64_t>>& times) {
    std::vector<KernelTime> out;
    for (const auto& [ns, predicted] : times) out.push_back({"k", {}, 0, 0, ns, 1, predicted});
    return out;
  };
  EXPECT_EQ(rank_correlation(kernels({{1, 10}, {20, 11}, {300, 12}})), 100);
  EXPECT_EQ(rank_correlation(kernels({{1, 12}, {20, 11}, {300, 10}})), -100);
  // 1 - 6 * (1 + 1) / (4 * 15)
  EXPECT_EQ(rank_correlation(kernels({{1, 1}, {2, 3}, {3, 2}, {4, 9}})), 80);
  // Ranks 1, 2.5, 2.5, 4: by hand 4.5 / sqrt(5 * 4.5).
  EXPECT_EQ(rank_correlation(kernels({{1, 1}, {2, 5}, {3, 5}, {4, 9}})), 95);
  // Too few, without a prediction, and all alike.
  EXPECT_EQ(rank_correlation(kernels({{1, 1}, {2, 2}})), std::nullopt);
  EXPECT_EQ(rank_correlation(kernels({{1, 1}, {2, 0}, {3, 3}})), std::nullopt);
  EXPECT_EQ(rank_correlation(kernels({{1, 4}, {2, 4}, {3, 4}})), std::nullopt);
}

TEST(BenchCli, AgainstSomethingElse) {
  const ScratchFolder folder;
  const std::string file = folder.path() + "/x.json";
  std::ofstream(file) << "{}";
  const ProcessResult result = bench_says({"--against", file});
  EXPECT_EQ(result.exit_code, kExitRefused);
  EXPECT_EQ(result.output, file + ":1:1: #: error: key 'format' is missing [missing-key]\n");
}

// Times of another model, machine or size say nothing beside these.
TEST(BenchCli, AgainstFiguresOfAnotherModel) {
  const ScratchFolder folder;
  const std::string file = folder.path() + "/x.json";
  const ProcessResult first = bench_says({"--json"});
  ASSERT_EQ(first.exit_code, kExitOk) << first.output;
  auto json = nlohmann::ordered_json::parse(first.output);
  EXPECT_EQ(bench_says({"--json"}).output.find("warning"), std::string::npos);
  json["sizes"] = "'seq' = 8, 'batch' = 2";
  std::ofstream(file) << json.dump();
  const ProcessResult result = bench_says({"--against", file});
  EXPECT_EQ(result.exit_code, kExitOk) << result.output;
  EXPECT_NE(result.output.find(": warning: is of 'lstm' for cpp-generic, at 'seq' = 8, 'batch' = "
                               "2, not compared\n"),
            std::string::npos)
      << result.output;
  EXPECT_EQ(result.output.find(" was "), std::string::npos) << result.output;
}

TEST(BenchCli, OneModel) {
  const ProcessResult result = run_process(
      {BURIN_PROGRAM, "bench", kBenchModel, kBenchModel, "--config", "cpp-generic"}, 60);
  EXPECT_EQ(result.exit_code, kExitUsage);
  EXPECT_EQ(result.output,
            "error: bench takes one model [usage]; give the models one after the other\n");
}

}  // namespace
}  // namespace burin::bench_cli_test

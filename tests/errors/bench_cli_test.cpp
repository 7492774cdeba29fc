// burin bench: what is measured, and what is said of results that are none.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
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

TEST(BenchCli, ATreeAloneIsNoModel) {
  const std::string tree = BURIN_SOURCE_DIR "/generated_examples/lstm";
  const ProcessResult result = run_process({BURIN_PROGRAM, "bench", tree}, 60);
  EXPECT_EQ(result.exit_code, kExitUsage);
  EXPECT_EQ(result.output, "error: '" + tree +
                               "' is a tree, not the model [usage]; burin bench MODEL --tree " +
                               tree + ", where MODEL is what it was made of and has the bounds\n");
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

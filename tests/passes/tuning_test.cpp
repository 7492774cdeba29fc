// Tuning entries: which kernel one is for, what it changes, and its file.
#include <gtest/gtest.h>

#include <fstream>

#include "hardware/load.h"
#include "pipeline.h"
#include "select/device/launch_walk.h"
#include "select/tiles/measured_tile.h"
#include "support/process.h"
#include "support/refusal.h"
#include "tune/tuning_file.h"

namespace burin::tuning_test {
namespace {

const std::string kRoot = BURIN_SOURCE_DIR;

Compiled compiled(const Tuning& tuning, std::function<Graph(Graph)> adjust = {}) {
  CompileOptions options;
  options.model = kRoot + "/tests/digits/digits.onnx";
  options.tuning = tuning;
  options.adjust = std::move(adjust);
  return compile(options, load_hardware(kRoot + "/configs/pocl.json"));
}

const Launch* product_of(const KernelSchedule& schedule) {
  for (const Launch* launch : launches_of(schedule.launches)) {
    if (launch->product) return launch;
  }
  return nullptr;
}

std::vector<std::string> keys_of(const Compiled& compiled) {
  std::vector<std::string> out;
  for (const auto& [step, key] : compiled.kernel_keys) out.push_back(key);
  return out;
}

TEST(Tuning, KeysDoNotDependOnNames) {
  const auto renamed = [](Graph graph) {
    for (GraphValue& value : graph.values) value.name = "other." + value.name;
    for (Node& node : graph.block.nodes) node.name = "other." + node.name;
    return graph;
  };
  EXPECT_EQ(keys_of(compiled({})), keys_of(compiled({}, renamed)));
  EXPECT_FALSE(keys_of(compiled({})).empty());
}

TEST(Tuning, AnEntryChangesItsKernelAlone) {
  const Compiled before = compiled({});
  int tried = 0;
  for (const auto& [step, schedule] : before.plan.kernels) {
    const Launch* product = product_of(schedule);
    if (!product) continue;
    GroupTile tile = product->product->tile;
    tile.depth = tile.depth == 8 ? 16 : 8;
    tile.splits = 1;
    Tuning tuning;
    tuning.kernels[before.kernel_keys.at(step)].verbs = {verb_of(tile)};
    const Compiled after = compiled(tuning);
    ASSERT_EQ(keys_of(after), keys_of(before));
    for (const auto& [at, other] : after.plan.kernels) {
      const Launch* now = product_of(other);
      if (at != step) {
        EXPECT_EQ(other.reason, before.plan.kernels.at(at).reason);
      } else if (now && now->product->tile == tile) {
        ++tried;
      }
    }
    // One that no device has is not taken.
    tuning.kernels.begin()->second.verbs = {verb_of({4096, 4096, 1, 1, 4096, 1})};
    EXPECT_EQ(compiled(tuning).plan.kernels.at(step).reason, schedule.reason);
  }
  EXPECT_GT(tried, 0);
}

TEST(Tuning, FilesAreReadBack) {
  TuningFile file;
  file.hardware = "pocl";
  file.untuned_us = 2;
  file.us = 1;
  file.tuning.kernels["0123456789abcdef"].verbs = {{"work-group", {32}}, {"unit stride", {}}};
  file.tuning.kernels["1123456789abcdef"].verbs = {verb_of({8, 16, 2, 4, 8, 2})};
  KernelTuning& all = file.tuning.kernels["2123456789abcdef"];
  all.verbs = {{"group rows", {4}},       {"unroll", {0}},       {"images", {1}},
               {"lanes", {0, 8, 0}},      {"lanes", {1, 16, 0}}, {"then tile", {6, 2}},
               {"threads", {1, 16, 0, 4}}};
  all.us = 12.5;
  file.tuning.pairs[pair_of("1123456789abcdef", "0123456789abcdef")] = true;
  file.what["0123456789abcdef"] = "Conv, \"Relu\"";
  const ScratchFolder folder;
  const std::string path = folder.path() + "/tuning.json";
  std::ofstream(path) << to_json(file);
  const TuningFile read = read_tuning_file(path, "pocl");
  EXPECT_EQ(read.tuning, file.tuning);
  EXPECT_EQ(read.what.at("0123456789abcdef"), "Conv, \"Relu\"");
  EXPECT_NE(refusal([&] { read_tuning_file(path, "other"); }).find("[inconsistent-hardware]"),
            std::string::npos);
  const auto refused = [&](const std::string& rest) {
    std::ofstream(path) << R"({"format": 2, "hardware": "pocl", "kernels": )" << rest << "}";
    return refusal([&] { read_tuning_file(path, "pocl"); });
  };
  const auto verbs = [&](const std::string& list) {
    return refused(R"({"0123456789abcdef": {"verbs": )" + list + "}}");
  };
  EXPECT_NE(verbs(R"(["group tile 1 2"])")
                .find("'group tile 1 2' is none: group tile has 6 numbers: rows, columns"),
            std::string::npos);
  EXPECT_NE(verbs(R"(["vector 3"])").find("a power of two up to 16"), std::string::npos);
  EXPECT_NE(verbs(R"(["vectors 4"])").find("'vectors 4' is none: vector has 1 number: points"),
            std::string::npos);
  EXPECT_NE(verbs(R"(["kept 4"])").find("nothing of a kernel is called 'kept 4' [unknown-verb]"),
            std::string::npos);
  EXPECT_NE(verbs(R"(["tile 6 2", "tile 4 2"])").find("'tile' is said twice"), std::string::npos);
  std::string many = "[";
  for (int let = 0; let < 300; ++let)
    many += (let ? ", " : "") + ("\"lanes " + std::to_string(let) + " 2 1\"");
  EXPECT_NE(verbs(many + "]").find("at most 256 verbs, not 300"), std::string::npos);
  EXPECT_NE(verbs(R"("tile 6 2")").find("expected a list of verbs"), std::string::npos);
  EXPECT_NE(refused(R"({"zz": {"verbs": ["vector 2"]}})").find("16 hexadecimal digits"),
            std::string::npos);
  EXPECT_NE(refused(R"({}, "pairs": {"a": {"joint": true}})").find("the keys of two kernels"),
            std::string::npos);
  EXPECT_NE(refused(R"({"0123456789abcdef": {"vectors": 4}})")
                .find("nothing of a kernel is called 'vectors' [unknown-key]"),
            std::string::npos);
}

}  // namespace
}  // namespace burin::tuning_test

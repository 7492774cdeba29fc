// Damaged models: whatever bytes change, import gives a sound graph or refuses with a line for each
// fault. A quick, reproducible run; tests/fuzz searches for longer.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "import/import.h"
#include "support/onnx_writer.h"

namespace burin::import_mutation_test {
namespace {

using namespace onnx_writer;  // NOLINT

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A model with functions, nested blocks, sparse, typed and string tensors.
std::string rich_model() {
  const Message body =
      graph({.nodes = {node("Add", {"v", "x"}, {"out"})},
             .initializers = {tensor("k", kInt4, {3}).integer(5, 0x21).integer(5, 3)},
             .inputs = {value("v", kFloat, {"N"})},
             .outputs = {value("out", kFloat, {"?"})}});
  Message indices = tensor("", kInt64, {2}).integer(7, 1).integer(7, 5);
  GraphParts parts = relu_parts();
  parts.nodes = {node("Scan", {"x"}, {"s"}, {graph_attribute("body", body)}),
                 node("F", {"s"}, {"t"}, {integer_attribute("axis", 1)}, "call", "local"),
                 node("Clip", {"t", "", "w"}, {"y"}, {attribute("keys", kTexts).text(9, "a")})};
  parts.initializers = {floats("w", {1, 2}), tensor("text", kString, {1}).text(6, "abc")};
  parts.sparse_initializers = {
      Message().message(1, floats("sp", {1, 2})).message(2, indices).integer(3, 2).integer(3, 3)};
  const Message f = function("F", {"a"}, {"b"},
                             {node("Softmax", {"a"}, {"c"}, {reference("axis", kInteger, "axis")}),
                              node("Relu", {"c"}, {"b"})},
                             {"axis"}, {attribute("beta", kReal).real(2, 1)});
  return model(graph(parts), {f}).bytes();
}

class ImportMutation : public testing::Test {
 protected:
  // Whether the bytes were refused; anything but a refusal or a sound graph fails the test.
  bool refused(const std::string& bytes) {
    try {
      const Graph graph = import_model_bytes(bytes, "m.onnx");
      if (!(parse_graph(to_string(graph, 1 << 20)) == graph)) ADD_FAILURE() << "text differs";
      return false;
    } catch (const Refused& refusal) {
      for (const Diagnostic& diagnostic : refusal.diagnostics) {
        const std::string line = to_line(diagnostic);
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        EXPECT_EQ(line.find("m.onnx: "), 0u) << line;
      }
      return true;
    }
  }

  static std::string damage(std::string bytes, std::mt19937& dice) {
    const auto pick = [&](size_t n) {
      return std::uniform_int_distribution<size_t>(0, n - 1)(dice);
    };
    const size_t changes = 1 + pick(3);
    for (size_t i = 0; i < changes && !bytes.empty(); ++i) {
      const size_t at = pick(bytes.size());
      switch (pick(6)) {
        case 0:
          bytes[at] = static_cast<char>(pick(256));
          break;
        case 1:
          bytes[at] ^= static_cast<char>(1 << pick(8));
          break;
        case 2:
          bytes[at] = static_cast<char>(std::array{0, 1, 0x7f, 0x80, 0xff, 2}[pick(6)]);
          break;
        case 3:
          bytes.erase(at, 1 + pick(8));
          break;
        case 4:
          bytes.insert(at, bytes.substr(pick(bytes.size()), 1 + pick(16)));
          break;
        default:
          bytes.resize(at);
          break;
      }
    }
    return bytes;
  }
};

TEST_F(ImportMutation, EveryByteOfARichModel) {
  const std::string whole = rich_model();
  ASSERT_FALSE(refused(whole));
  int refusals = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(value);
      refusals += refused(bytes) ? 1 : 0;
    }
  }
  EXPECT_GT(refusals, 0);
  EXPECT_LT(refusals, static_cast<int>(whole.size()) * 5);
}

TEST_F(ImportMutation, RandomDamage) {
  std::vector<std::string> seeds = {rich_model()};
  for (const char* name : {"loop", "attention", "qdq_conv", "lstm", "slice_runtime"}) {
    seeds.push_back(read(std::string(BURIN_SOURCE_DIR) + "/tests/models/" + name + "/model.onnx"));
    ASSERT_FALSE(refused(seeds.back())) << name;
  }
  std::mt19937 dice(20240229);
  int refusals = 0;
  constexpr int kRuns = 10'000;
  for (int i = 0; i < kRuns; ++i) {
    refusals += refused(damage(seeds[static_cast<size_t>(i) % seeds.size()], dice)) ? 1 : 0;
  }
  EXPECT_GT(refusals, kRuns / 10);
  EXPECT_LT(refusals, kRuns);
}

}  // namespace
}  // namespace burin::import_mutation_test

// Every dimension that lowering infers for the tensors of our models, between the nodes and inside
// loops, against the shapes that onnxruntime reports at several sizes (shapes_of_onnxruntime.py
// made the data). What the files say about other shapes than those of inputs is not seen.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "differential/support/sizes.h"
#include "import/import.h"

namespace burin::shapes_of_onnxruntime_test {
namespace {

const std::string kTests = std::string(BURIN_SOURCE_DIR) + "/tests";

constexpr size_t kModels = 44;
constexpr int kLeastExact = 3284;
constexpr int kLeastBounded = 200;
// Tensors of names that several have (in both branches of an If), and those that lowering does away
// with.
constexpr size_t kMostMissing = 50;

struct OneRun {
  Sizes sizes;
  std::vector<std::pair<std::string, std::vector<Range>>> tensors;
};

using Models = std::map<std::string, std::vector<OneRun>>;

Range range_of(const std::string& text) {
  const size_t at = text.find("..");
  return {std::stoll(text), std::stoll(at == std::string::npos ? text : text.substr(at + 2))};
}

Models read_models(const std::string& path) {
  Models out;
  std::ifstream in(path);
  std::vector<OneRun>* runs = nullptr;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind, word;
    words >> kind >> std::ws;
    if (kind == "model") {
      words >> word;
      runs = &out[word];
    } else if (kind == "sizes") {
      runs->emplace_back();
      while (words >> word) {
        const size_t at = word.find('=');
        runs->back().sizes[word.substr(0, at)] = std::stoll(word.substr(at + 1));
      }
    } else if (kind == "tensor" || kind == "inside") {
      auto& tensors = runs->back().tensors;
      words >> word;
      tensors.emplace_back(word, std::vector<Range>());
      while (words >> word) tensors.back().second.push_back(range_of(word));
    }
  }
  return out;
}

// The inferred shapes by name; tensors that share a name are left out.
std::map<std::string, const TensorFacts*> inferred(const Lowered& lowered) {
  std::map<std::string, const TensorFacts*> out;
  std::set<std::string> several;
  for (const NodeFacts& node : lowered.nodes) {
    for (const TensorFacts& tensor : node.outputs) {
      if (!out.emplace(tensor.name, &tensor).second) several.insert(tensor.name);
    }
  }
  for (const std::string& name : several) out.erase(name);
  return out;
}

TEST(ShapesOfOnnxruntime, AreThoseThatAreInferred) {
  const Models models = read_models(kTests + "/differential/data/shapes_of_onnxruntime.txt");
  Extents compared;
  size_t tensors = 0, missing = 0;
  for (const auto& [name, runs] : models) {
    SCOPED_TRACE(name);
    EXPECT_GE(runs.size(), 3U);
    const std::optional<Lowered> open = lowered(
        without_declared_shapes(import_model(kTests + "/models/" + name + "/model.onnx", {})));
    ASSERT_TRUE(open);
    const auto facts = inferred(*open);
    for (const OneRun& run : runs) {
      for (const auto& [tensor, extents] : run.tensors) {
        const auto found = facts.find(tensor);
        missing += found == facts.end();
        if (found == facts.end()) continue;
        ++tensors;
        expect_extents(tensor, found->second->shape, extents, run.sizes, compared);
      }
    }
  }
  std::cout << models.size() << " models, " << tensors << " shapes, " << compared.exact
            << " dimensions, " << compared.bounded << " that the run finds\n";
  EXPECT_EQ(models.size(), kModels);
  EXPECT_GE(compared.exact, kLeastExact);
  EXPECT_GE(compared.bounded, kLeastBounded);
  EXPECT_LE(missing, kMostMissing);
}

}  // namespace
}  // namespace burin::shapes_of_onnxruntime_test

// What lowering says about sizes while they are symbols (SoD2 4.1) is what it says once they are
// numbers: every extent of every tensor, of the ONNX project's models, at random sizes. The numbers
// take another way: there nothing is symbolic, and shapes are folded as constants.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "differential/support/onnx_case.h"
#include "differential/support/sizes.h"
#include "import/import.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kDraws = 3;
constexpr int64_t kLargest = 9;  // of a drawn size
constexpr int kAtLeastCompared = 15000;

Sizes draw(const std::vector<Symbol>& symbols, std::mt19937& random) {
  Sizes sizes;
  for (const Symbol& symbol : symbols) {
    const int64_t least = std::max<int64_t>(symbol->min, 1);
    const int64_t most = std::max(least, std::min(symbol->max, kLargest));
    sizes[symbol->name] = std::uniform_int_distribution<int64_t>(least, most)(random);
  }
  return sizes;
}

// By name; tensors that share a name are left out.
std::map<std::string, const Value*> by_name(const KernelGraph& graph) {
  std::map<std::string, const Value*> out;
  for (const Value& value : graph.values) {
    const auto [at, fresh] = out.emplace(value.name, &value);
    if (!fresh) at->second = nullptr;
  }
  return out;
}

bool has_checks(const KernelGraph& graph) {
  bool found = false;
  for_each_step(graph.steps,
                [&](const Step& step) { found = found || std::holds_alternative<Check>(step); });
  return found;
}

// Compares all extents that both know; the number of them.
int compare(const KernelGraph& open, const KernelGraph& fixed, const Sizes& sizes,
            const std::string& where) {
  int compared = 0;
  const auto known = by_name(fixed);
  for (const auto& [name, value] : by_name(open)) {
    const auto other = known.find(name);
    if (value == nullptr || other == known.end() || other->second == nullptr) continue;
    const std::vector<Dim>&a = value->shape, &b = other->second->shape;
    EXPECT_EQ(a.size(), b.size()) << where << ": rank of " << name;
    for (size_t d = 0; d < std::min(a.size(), b.size()); ++d) {
      const std::optional<int64_t> expected = b[d].as_constant();
      if (!expected) continue;
      ++compared;
      if (const std::optional<int64_t> found = value_at(a[d], sizes)) {
        EXPECT_EQ(*found, *expected) << where << ": dimension " << d << " of " << name;
      } else {
        const Range range = a[d].range();
        EXPECT_LE(range.lo, *expected) << where << ": dimension " << d << " of " << name;
        EXPECT_GE(range.hi, *expected) << where << ": dimension " << d << " of " << name;
      }
    }
  }
  return compared;
}

TEST(ShapeFacts, HoldAtRandomSizes) {
  std::mt19937 random(20);
  int compared = 0, models = 0, other_sizes_refused = 0;
  for (const std::string& folder : find_cases("/usr/share/libonnx-testdata/data")) {
    Graph graph;
    try {
      graph = with_symbolic_extents(import_model(folder + "/model.onnx", {}));
    } catch (const Refused&) {
      continue;
    }
    const std::optional<Lowered> open = lowered(graph);
    if (!open || open->graph.symbols.empty()) continue;
    ++models;
    for (int k = 0; k < kDraws; ++k) {
      const Sizes sizes = draw(open->graph.symbols, random);
      std::string where = folder;
      for (const auto& [name, size] : sizes) where += " " + name + "=" + std::to_string(size);
      const std::optional<Lowered> fixed = lowered(with_sizes(graph, open->graph, sizes));
      if (fixed) {
        compared += compare(open->graph, fixed->graph, sizes, where);
        continue;
      }
      ++other_sizes_refused;
      // What is refused with numbers is a check of the run with symbols.
      EXPECT_TRUE(has_checks(open->graph)) << where << ": refused, and nothing checks it";
    }
  }
  std::cout << models << " models, " << compared << " extents compared, " << other_sizes_refused
            << " draws that the run would refuse\n";
  EXPECT_GE(compared, kAtLeastCompared);
}

}  // namespace
}  // namespace burin

// What lowering says about sizes while they are symbols (SoD2 4.1) is what it says once they are
// numbers: every extent of every tensor, of the ONNX project's models, at random sizes. The numbers
// take another way: there nothing is symbolic, and shapes are folded as constants. (Shapes that
// others have found: shape_data_test.)
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "differential/support/onnx_case.h"
#include "differential/support/sizes.h"
#include "import/import.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin::shape_facts_test {
namespace {

constexpr int kDraws = 3;
constexpr int64_t kLargest = 9;  // of a drawn size
constexpr int kAtLeastCompared = 15000;
constexpr int kAtLeastStopped = 400;  // draws whose sizes do not go together
constexpr int kMostStricter = 20;     // that stop with symbols and have no places with numbers
constexpr int kMostLeftOpen = 5;      // of these, that only the run can tell

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

// What the run's checks say at these sizes.
enum class Said { nothing, open, stops };

// open: it depends on what the run finds.
Said checks_at(const KernelGraph& graph, const Sizes& sizes) {
  Said said = Said::nothing;
  for_each_step(graph.steps, [&](const Step& step) {
    if (std::holds_alternative<Bind>(step) && said == Said::nothing) said = Said::open;
    const Check* check = std::get_if<Check>(&step);
    if (!check || said == Said::stops) return;
    for (const Condition& one : check->guard) {
      const auto index = value_at(one.index, sizes), lo = value_at(one.lo, sizes),
                 hi = value_at(one.hi, sizes);
      if (!index || !lo || !hi) {
        if (said == Said::nothing) said = Said::open;
      } else if (*index < *lo || *index >= *hi) {
        said = Said::stops;
      }
    }
  });
  return said;
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
  int compared = 0, models = 0, stopped = 0, left_open = 0, stricter = 0;
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
      if (fixed && checks_at(open->graph, sizes) == Said::stops) {
        // A pool whose window is larger than the input has no places, or stops the run.
        ++stricter;
        continue;
      }
      if (fixed) {
        compared += compare(open->graph, fixed->graph, sizes, where);
        continue;
      }
      // What is refused with numbers stops the run with symbols.
      const Said said = checks_at(open->graph, sizes);
      EXPECT_NE(said, Said::nothing) << where << ": refused, and no check says so";
      ++(said == Said::stops ? stopped : left_open);
    }
  }
  std::cout << models << " models, " << compared << " extents compared, " << stopped
            << " draws that a check of sizes stops, " << stricter << " of them with symbols only, "
            << left_open << " that the run finds out\n";
  EXPECT_GE(compared, kAtLeastCompared);
  EXPECT_GE(stopped, kAtLeastStopped);
  EXPECT_LE(stricter, kMostStricter);
  EXPECT_LE(left_open, kMostLeftOpen);
}

}  // namespace
}  // namespace burin::shape_facts_test

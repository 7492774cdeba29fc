// Backward transfer misses nothing (SoD2 4.1): of the sizes that equations leave open, none is
// determined by another one. Every operator's models of the ONNX project, every extent above 1 a
// symbol of its own; the enumeration lowers them with numbers, where nothing is solved: shapes that
// do not fit are refused. A size that can be another number with all others as they are is
// free. Else those that fit together are drawn, and no line goes through all of them: 1 or the same
// as another one (broadcasting), or a product that equals another one (reshapes).
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <set>

#include "differential/support/onnx_case.h"
#include "differential/support/sizes.h"
#include "import/import.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin::backward_facts_test {
namespace {

constexpr int kDraws = 1200;
constexpr int kAtLeastFree = 2000;
constexpr int kAtLeastOperators = 150;

// Sizes that may stand in for n, likely ones first.
std::set<int64_t> others(int64_t n) {
  std::set<int64_t> all = {1, n - 1, n + 1, n + 2, n + 3, 2 * n, 3 * n, 4 * n};
  for (int64_t k = 1; k <= std::min<int64_t>(2 * n, 24); ++k) all.insert(k);
  all.erase(0);
  all.erase(n);
  return all;
}

// The sizes of the file, which are the symbols' hints.
Sizes as_in_file(const KernelGraph& open) {
  Sizes sizes;
  for (const Symbol& symbol : open.symbols) sizes[symbol->name] = symbol->hint;
  return sizes;
}

// Whether the symbol can be another number with all others as they are.
bool is_free(const Graph& graph, const KernelGraph& open, Sizes sizes, const Symbol& symbol) {
  for (const int64_t other : others(symbol->hint)) {
    sizes[symbol->name] = other;
    if (lowered(with_sizes(graph, open, sizes))) return true;
  }
  return false;
}

// Sizes that fit: a walk from those of the file. A step takes another number for one size or all
// that are alike, or lets two sizes change places.
std::vector<Sizes> drawn(const Graph& graph, const KernelGraph& open) {
  std::mt19937 random(9);
  std::vector<std::string> names;
  std::vector<int64_t> pool = {1, 2, 3};
  for (const Symbol& symbol : open.symbols) {
    names.push_back(symbol->name);
    pool.push_back(symbol->hint);
    pool.push_back(2 * symbol->hint);
  }
  const auto one_of = [&](const auto& all) -> const auto& {
    return all[std::uniform_int_distribution<size_t>(0, all.size() - 1)(random)];
  };
  std::vector<Sizes> fit = {as_in_file(open)};
  for (int k = 0; k < kDraws; ++k) {
    Sizes sizes = one_of(fit);
    const std::string &name = one_of(names), &other = one_of(names);
    const int64_t from = sizes[name], to = one_of(pool);
    if (k % 3 == 0) {
      std::swap(sizes[name], sizes[other]);
    } else if (k % 3 == 1) {
      sizes[name] = to;
    } else {
      for (auto& [each, size] : sizes) {
        if (size == from) size = to;
      }
    }
    if (lowered(with_sizes(graph, open, sizes))) fit.push_back(std::move(sizes));
  }
  return fit;
}

// Whether in all that fits the size is a number, or one multiple of another size and a number.
bool is_determined(const std::string& name, const std::vector<Sizes>& fit) {
  const auto same = [&](const auto& of) {
    return std::all_of(fit.begin(), fit.end(),
                       [&](const Sizes& sizes) { return of(sizes) == of(fit[0]); });
  };
  if (same([&](const Sizes& sizes) { return sizes.at(name); })) return true;
  for (const auto& [other, size] : fit[0]) {
    if (other == name || same([&](const Sizes& sizes) { return sizes.at(other); })) continue;
    for (int64_t times = 1; times <= 4; ++times) {
      if (same([&](const Sizes& sizes) { return sizes.at(name) - times * sizes.at(other); }))
        return true;
    }
  }
  return false;
}

TEST(BackwardFacts, EverySizeThatIsLeftIsFree) {
  int free = 0, tied = 0;
  std::set<std::string> operators;
  for (const std::string& folder : find_cases("/usr/share/libonnx-testdata/data")) {
    Graph graph;
    try {
      graph = with_symbolic_extents(import_model(folder + "/model.onnx", {}));
    } catch (const Refused&) {
      continue;
    }
    const std::optional<Lowered> open = lowered(graph);
    if (!open || open->graph.symbols.empty()) continue;
    const Sizes sizes = as_in_file(open->graph);
    if (!lowered(with_sizes(graph, open->graph, sizes))) continue;
    for (const NodeFacts& node : open->nodes) operators.insert(node.op);
    std::vector<Sizes> fit;
    for (const Symbol& symbol : open->graph.symbols) {
      if (is_free(graph, open->graph, sizes, symbol)) {
        ++free;
        continue;
      }
      ++tied;
      if (fit.empty()) fit = drawn(graph, open->graph);
      EXPECT_FALSE(is_determined(symbol->name, fit))
          << folder << ": " << symbol->name << " = " << symbol->hint << " in all of " << fit.size();
    }
  }
  std::cout << operators.size() << " operators, " << free << " sizes are free, " << tied
            << " in no linear equation\n";
  EXPECT_GE(free, kAtLeastFree);
  EXPECT_GE(static_cast<int>(operators.size()), kAtLeastOperators);
}

}  // namespace
}  // namespace burin::backward_facts_test

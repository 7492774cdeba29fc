// The genetic search on costs whose best is known, and as a search that is interrupted.
#include "tune/genetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace burin {
namespace {

std::vector<Gene> genes(size_t count, size_t values) {
  std::vector<Gene> out(count, Gene{"gene", {}});
  for (Gene& gene : out) {
    for (size_t i = 0; i < values; ++i) gene.values.push_back(int64_t{1} << i);
  }
  return out;
}

const Genes kBest = {5, 2, 0, 6, 3, 1, 4, 2};

// Neighbouring genes matter together, a fifth of all candidates cannot be, and a second valley ends
// elsewhere.
double surface(const Genes& at) {
  double far = 0, other = 0;
  size_t sum = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    const double off = static_cast<double>(at[i]) - static_cast<double>(kBest[i]);
    const double next = static_cast<double>(at[(i + 1) % at.size()]) -
                        static_cast<double>(kBest[(i + 1) % at.size()]);
    far += off * off + 0.5 * std::abs(off * next);
    other += std::abs(static_cast<double>(at[i]) - 6);
    sum += at[i] * (i + 1);
  }
  size_t best_sum = 0;
  for (size_t i = 0; i < kBest.size(); ++i) best_sum += kBest[i] * (i + 1);
  if (sum % 5 == (best_sum + 1) % 5) return std::numeric_limits<double>::infinity();
  return std::min(100 + far, 130 + other);
}

TEST(Genetic, FindsTheKnownBestOfASurface) {
  for (const uint64_t seed : {1, 2, 3}) {
    std::map<Genes, double> known;
    const SearchResult found =
        search_genes(genes(8, 7), Genes(8, 6), {seed, 64, 60, 0.15}, known, surface);
    EXPECT_EQ(found.best, kBest) << seed << ": " << found.cost;
    EXPECT_DOUBLE_EQ(found.cost, 100);
    // Of 5.7 million.
    EXPECT_LT(found.measured, 4000);
  }
}

TEST(Genetic, AnInterruptedSearchGoesOn) {
  const SearchOptions options{7, 12, 10, 0.2};
  std::map<Genes, double> whole, parts;
  const SearchResult once = search_genes(genes(8, 7), Genes(8, 0), options, whole, surface);
  struct Interrupted {};
  int left = 40;
  EXPECT_THROW(search_genes(genes(8, 7), Genes(8, 0), options, parts,
                            [&](const Genes& at) {
                              if (left-- == 0) throw Interrupted{};
                              return surface(at);
                            }),
               Interrupted);
  EXPECT_EQ(parts.size(), 40u);
  const SearchResult rest = search_genes(genes(8, 7), Genes(8, 0), options, parts, surface);
  EXPECT_EQ(rest.best, once.best);
  EXPECT_EQ(parts, whole);
  EXPECT_EQ(rest.measured + 40, once.measured);
  EXPECT_EQ(search_genes(genes(8, 7), Genes(8, 0), options, parts, surface).measured, 0);
}

TEST(Genetic, TheFirstCandidateIsNeverLost) {
  std::map<Genes, double> known;
  const auto only = [](const Genes& at) {
    return at == Genes(4, 2) ? 1.0 : std::numeric_limits<double>::infinity();
  };
  const SearchResult found = search_genes(genes(4, 5), Genes(4, 2), {3, 8, 5, 0.3}, known, only);
  EXPECT_EQ(found.best, Genes(4, 2));
  EXPECT_EQ(found.cost, 1);
}

}  // namespace
}  // namespace burin

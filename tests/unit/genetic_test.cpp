// The genetic search on costs whose best is known, and as a search that is interrupted.
#include "tune/genetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/numbers.h"
#include "tune/part_times.h"

namespace burin::genetic_test {
namespace {

const CandidateCost kNever{std::numeric_limits<double>::infinity()};

std::vector<Gene> genes(size_t count, size_t values) {
  std::vector<Gene> out(count, Gene{"gene", {}, "whole"});
  for (Gene& gene : out) {
    for (size_t i = 0; i < values; ++i) gene.values.push_back(int64_t{1} << i);
  }
  return out;
}

const Genes kBest = {5, 2, 0, 6, 3, 1, 4, 2};

// Neighbouring genes matter together, a fifth of all candidates cannot be, and a second valley ends
// elsewhere.
CandidateCost surface(const Genes& at) {
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
  if (sum % 5 == (best_sum + 1) % 5) return kNever;
  return {std::min(100 + far, 130 + other)};
}

TEST(Genetic, FindsTheKnownBestOfASurface) {
  for (const uint64_t seed : {1, 2, 3}) {
    std::map<Genes, CandidateCost> known;
    const GeneticResult found =
        search_genes(genes(8, 7), Genes(8, 6), {seed, 64, 60, 0.15}, known, surface);
    EXPECT_EQ(found.best, kBest) << seed << ": " << found.cost;
    EXPECT_DOUBLE_EQ(found.cost, 100);
    // Of 5.7 million.
    EXPECT_LT(found.measured, 4000);
  }
}

TEST(Genetic, AnInterruptedSearchGoesOn) {
  const SearchOptions options{7, 12, 10, 0.2};
  std::map<Genes, CandidateCost> whole, parts;
  const GeneticResult once = search_genes(genes(8, 7), Genes(8, 0), options, whole, surface);
  struct Interrupted {};
  int left = 40;
  EXPECT_THROW(search_genes(genes(8, 7), Genes(8, 0), options, parts,
                            [&](const Genes& at) {
                              if (left-- == 0) throw Interrupted{};
                              return surface(at);
                            }),
               Interrupted);
  EXPECT_EQ(parts.size(), 40u);
  const GeneticResult rest = search_genes(genes(8, 7), Genes(8, 0), options, parts, surface);
  EXPECT_EQ(rest.best, once.best);
  EXPECT_EQ(parts.size(), whole.size());
  for (const auto& [at, cost] : whole) EXPECT_EQ(parts.at(at).whole, cost.whole);
  EXPECT_EQ(rest.measured + 40, once.measured);
  EXPECT_EQ(search_genes(genes(8, 7), Genes(8, 0), options, parts, surface).measured, 0);
}

TEST(Genetic, TheFirstCandidateIsNeverLost) {
  std::map<Genes, CandidateCost> known;
  const auto only = [](const Genes& at) { return at == Genes(4, 2) ? CandidateCost{1} : kNever; };
  const GeneticResult found = search_genes(genes(4, 5), Genes(4, 2), {3, 8, 5, 0.3}, known, only);
  EXPECT_EQ(found.best, Genes(4, 2));
  EXPECT_EQ(found.cost, 1);
}

// Twelve parts of four genes; every time is within a fifth of what it should be, the whole and the
// parts by themselves.
class Parts : public testing::Test {
 protected:
  Parts() {
    for (size_t i = 0; i < 48; ++i)
      genes_.push_back({"gene", {1, 2, 4, 8, 16, 32}, "part" + std::to_string(i / 4)});
    Numbers best(11);
    for (const Gene& gene : genes_) best_.push_back(best.below(gene.values.size()));
  }

  // Without noise.
  CandidateCost exact(const Genes& at) const {
    CandidateCost out;
    for (size_t i = 0; i < at.size(); ++i) {
      double& part = out.parts[genes_[i].part];
      if (i % 4 == 0) part = 10;
      part += std::abs(static_cast<double>(at[i]) - static_cast<double>(best_[i]));
    }
    for (const auto& [part, us] : out.parts) out.whole += us;
    return out;
  }

  double found(bool tells_parts) {
    double sum = 0;
    for (const uint64_t seed : {1, 2, 3}) {
      Numbers noise(seed);
      const auto noisy = [&](double us) {
        return us * (0.8 + 0.4 * double(noise.below(1000)) / 1e3);
      };
      std::map<Genes, CandidateCost> known;
      const Genes first(genes_.size(), 3);
      search_genes(genes_, first, {seed, 12, 10, 0.15}, known, [&](const Genes& at) {
        CandidateCost out = exact(at);
        out.whole = noisy(out.whole);
        for (auto& [part, us] : out.parts) us = noisy(us);
        if (!tells_parts) out.parts.clear();
        return out;
      });
      PartTimes times(genes_);
      const Genes* least = &first;
      for (const auto& [at, cost] : known) {
        times.add(at, cost);
        if (cost.whole < known.at(*least).whole) least = &at;
      }
      sum += exact(times.best(*least)).whole - exact(best_).whole;
    }
    return sum / 3;
  }

  std::vector<Gene> genes_;
  Genes best_;
};

TEST_F(Parts, TheirTimesFindWhatAWholeHides) {
  const double untuned = exact(Genes(genes_.size(), 3)).whole - exact(best_).whole;
  const double by_whole = found(false), by_parts = found(true);
  EXPECT_LT(by_parts, 0.5 * untuned);
  EXPECT_LT(by_parts, 0.7 * by_whole);
}

TEST_F(Parts, TheBestOfEachTogether) {
  PartTimes times(genes_);
  EXPECT_TRUE(times.empty());
  Genes a(genes_.size(), 1), b(genes_.size(), 2);
  times.add(a, {9, {{"part0", 4}, {"part1", 5}, {"of no gene", 1}}});
  times.add(b, {9, {{"part0", 3}, {"part1", 6}}});
  // The median of three, not the least of them.
  times.add(b, {9, {{"part1", 2}}});
  times.add(b, {9, {{"part1", 7}}});
  EXPECT_TRUE(times.is_timed(0));
  EXPECT_FALSE(times.is_timed(8));
  EXPECT_EQ(times.genes_of_part(0), 4u);
  Genes expected(genes_.size(), 0);
  std::fill_n(expected.begin(), 4, 2);
  std::fill_n(expected.begin() + 4, 4, 1);
  EXPECT_EQ(times.best(Genes(genes_.size(), 0)), expected);
  EXPECT_EQ(times.better_of(a, b, Genes(genes_.size(), 0)), expected);
  EXPECT_EQ(times.better_of(Genes(genes_.size(), 5), a, a), a) << "5 was never timed";
}

}  // namespace
}  // namespace burin::genetic_test

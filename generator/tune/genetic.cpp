#include "tune/genetic.h"

#include <algorithm>
#include <set>

#include "support/check.h"
#include "support/numbers.h"
#include "tune/part_times.h"

namespace burin {
namespace {

// Genes of a child that change, on average and at most: of many genes a child of more changes is
// hardly ever better.
constexpr double kChanged = 2;

class Search {
 public:
  Search(const std::vector<Gene>& genes, const SearchOptions& options)
      : genes_(genes), options_(options), numbers_(options.seed), times_(genes) {}

  void learn(const Genes& genes, const CandidateCost& cost) { times_.add(genes, cost); }

  // Beside the first.
  std::vector<Genes> first_generation(const Genes& first) {
    std::vector<Genes> out{first};
    while (out.size() < static_cast<size_t>(options_.population)) {
      Genes one;
      for (const Gene& gene : genes_) one.push_back(numbers_.below(gene.values.size()));
      // Every other one is near to what is known to work.
      if (out.size() % 2 == 1) one = mutated(first);
      out.push_back(std::move(one));
    }
    return out;
  }

  // `sorted`: the best first.
  std::vector<Genes> next_generation(const std::vector<Genes>& sorted) {
    std::vector<Genes> out(sorted.begin(),
                           sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() + 1) / 2));
    const size_t parents = out.size();
    if (!times_.empty() && out.size() < sorted.size()) out.push_back(times_.best(sorted[0]));
    while (out.size() < sorted.size()) {
      const Genes& a = sorted[winner(parents)];
      const Genes& b = sorted[winner(parents)];
      Genes child;
      for (size_t i = 0; i < genes_.size(); ++i) child.push_back(numbers_.below(2) ? a[i] : b[i]);
      child = times_.better_of(a, b, child);
      // Every other one is near to the best of every part.
      if (out.size() % 2 == 1) child = times_.best(child);
      out.push_back(mutated(child));
    }
    return out;
  }

 private:
  size_t winner(size_t parents) {
    return std::min(numbers_.below(parents), numbers_.below(parents));
  }

  bool chance(double share) { return numbers_.below(1u << 20) < share * (1u << 20); }

  Genes mutated(Genes genes) {
    const double usual = std::min(options_.mutation, kChanged / double(genes.size()));
    for (size_t i = 0; i < genes.size(); ++i) {
      // One gene of each part that is judged on its own.
      const double share = times_.is_timed(i) ? 1 / double(times_.genes_of_part(i)) : usual;
      const size_t count = genes_[i].values.size();
      if (count < 2 || !chance(share)) continue;
      if (numbers_.below(3) == 0) {
        genes[i] = numbers_.below(count);
      } else {
        const bool up = numbers_.below(2) == 1;
        genes[i] = up ? std::min(count - 1, genes[i] + 1) : genes[i] - (genes[i] > 0);
      }
    }
    return genes;
  }

  const std::vector<Gene>& genes_;
  const SearchOptions& options_;
  Numbers numbers_;
  PartTimes times_;
};

}  // namespace

GeneticResult search_genes(const std::vector<Gene>& genes, const Genes& first,
                          const SearchOptions& options, std::map<Genes, CandidateCost>& known,
                          const std::function<CandidateCost(const Genes&)>& cost,
                          const std::function<void(int, const GeneticResult&)>& progress) {
  BURIN_CHECK(first.size() == genes.size(), "a candidate of other genes");
  Search search(genes, options);
  GeneticResult result;
  std::set<Genes> seen;
  const auto measure = [&](const Genes& one) {
    if (!seen.insert(one).second) return;
    if (!known.contains(one)) {
      known[one] = cost(one);
      ++result.measured;
    }
    search.learn(one, known.at(one));
  };
  measure(first);
  std::vector<Genes> generation = search.first_generation(first);
  for (int number = 0; number < options.generations; ++number) {
    if (number > 0) generation = search.next_generation(generation);
    for (const Genes& one : generation) measure(one);
    std::stable_sort(generation.begin(), generation.end(), [&](const Genes& a, const Genes& b) {
      return known.at(a).whole < known.at(b).whole;
    });
    result.best = generation.front();
    result.cost = known.at(result.best).whole;
    if (progress) progress(number, result);
  }
  return result;
}

}  // namespace burin

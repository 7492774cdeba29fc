// A genetic search over choices: which of each gene's values together cost least, when all that is
// known of a cost is that it can be measured.
//
// A generation is made of the best half of the one before and of their children: each gene comes
// from one of two parents (tournaments of two), then may mutate to another value, a near one more
// often. Where costs of parts are known (part_times.h), a part comes whole from the parent that is
// faster in it, one child is the best of every part together, and all parts mutate at the same
// time, since each is judged on its own. What was measured once is not measured again, so a search
// that was interrupted goes on where it ended, with the same candidates: its numbers come from a
// seed and from nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace burin {

struct Gene {
  std::string name;
  std::vector<int64_t> values;  // in an order in which neighbours are alike; not empty
  std::string part{};           // of the whole, which the gene changes
};

// Less is better; infinity: it cannot be.
struct CandidateCost {
  double whole = 0;
  std::map<std::string, double> parts{};  // of those that could be told apart, by name
};

using Genes = std::vector<size_t>;  // the place of the chosen value, by gene

struct SearchOptions {
  uint64_t seed = 1;
  int population = 16;
  int generations = 12;
  double mutation = 0.15;  // chance of a gene of a child; of many genes two change on average
};

struct GeneticResult {
  Genes best;
  double cost = 0;
  int measured = 0;  // by this call
};

// `first` is among the first generation. `cost` is not asked for what `known` has, and everything
// that it answers is put there. `progress` is called when a generation is complete, with its number
// and the best so far.
GeneticResult search_genes(const std::vector<Gene>& genes, const Genes& first,
                          const SearchOptions& options, std::map<Genes, CandidateCost>& known,
                          const std::function<CandidateCost(const Genes&)>& cost,
                          const std::function<void(int, const GeneticResult&)>& progress = {});

}  // namespace burin

// Times of parts of a candidate. Where each part of a whole is timed on its own, the choices of one
// are judged by what they change, not by a whole in which everything else changed as well; and the
// best of each part together are a candidate that no one need have been.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tune/genetic.h"

namespace burin {

class PartTimes {
 public:
  explicit PartTimes(const std::vector<Gene>& genes);

  // Of the same candidate more than once, too.
  void add(const Genes& genes, const CandidateCost& cost);

  bool empty() const { return times_.empty(); }
  // The gene's part was timed.
  bool is_timed(size_t gene) const { return times_.contains(part_of_[gene]); }
  // Genes of the part that this gene is of.
  size_t genes_of_part(size_t gene) const { return genes_of_.at(part_of_[gene]).size(); }

  // Each timed part as it took the least time, the median of all times with these choices; all
  // others are `otherwise`'s.
  Genes best(const Genes& otherwise) const;
  // Each timed part from the one of two with which it took less time, a's where that is unknown of
  // either; genes of all others as they are in `otherwise`.
  Genes better_of(const Genes& a, const Genes& b, const Genes& otherwise) const;

 private:
  Genes places(const std::string& part, const Genes& genes) const;
  double time(const std::string& part, const Genes& genes) const;

  std::vector<std::string> part_of_;                     // by gene
  std::map<std::string, std::vector<size_t>> genes_of_;  // by part
  // By part and the places of its genes.
  std::map<std::string, std::map<Genes, std::vector<double>>> times_;
};

}  // namespace burin

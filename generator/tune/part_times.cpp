#include "tune/part_times.h"

#include <algorithm>
#include <limits>

namespace burin {
namespace {

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace

PartTimes::PartTimes(const std::vector<Gene>& genes) {
  for (const Gene& gene : genes) {
    genes_of_[gene.part].push_back(part_of_.size());
    part_of_.push_back(gene.part);
  }
}

void PartTimes::add(const Genes& genes, const CandidateCost& cost) {
  for (const auto& [part, us] : cost.parts) {
    if (genes_of_.contains(part)) times_[part][places(part, genes)].push_back(us);
  }
}

Genes PartTimes::best(const Genes& otherwise) const {
  Genes out = otherwise;
  for (const auto& [part, by_places] : times_) {
    const Genes* least = nullptr;
    double us = std::numeric_limits<double>::infinity();
    for (const auto& [at, times] : by_places) {
      const double now = median(times);
      if (now >= us) continue;
      us = now;
      least = &at;
    }
    const std::vector<size_t>& genes = genes_of_.at(part);
    for (size_t i = 0; least && i < genes.size(); ++i) out[genes[i]] = (*least)[i];
  }
  return out;
}

Genes PartTimes::better_of(const Genes& a, const Genes& b, const Genes& otherwise) const {
  Genes out = otherwise;
  for (const auto& [part, by_places] : times_) {
    const Genes& better = time(part, b) < time(part, a) ? b : a;
    for (const size_t gene : genes_of_.at(part)) out[gene] = better[gene];
  }
  return out;
}

Genes PartTimes::places(const std::string& part, const Genes& genes) const {
  Genes out;
  for (const size_t gene : genes_of_.at(part)) out.push_back(genes[gene]);
  return out;
}

// Infinity where it was not timed.
double PartTimes::time(const std::string& part, const Genes& genes) const {
  const auto& by_places = times_.at(part);
  const auto found = by_places.find(places(part, genes));
  return found == by_places.end() ? std::numeric_limits<double>::infinity() : median(found->second);
}

}  // namespace burin

// What of a model's kernels can be chosen: genes of the search, and what they say of a tuning file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline.h"
#include "tune/genetic.h"

namespace burin {

// What a gene chooses: number `number` of a verb of a kernel, which has all of `now` without
// tuning.
struct GeneVerb {
  std::string key;
  Verb now;
  size_t number = 0;
};

// Genes are named by the kernel and what is chosen: "0a1b2c3d4e5f6071 unroll", of a verb of several
// numbers with the number's place behind it; or by two kernels whose launches may be joint.
struct TuningChoices {
  std::vector<Gene> genes;
  std::vector<std::optional<GeneVerb>> verbs;  // of each gene; none: it is of a pair
  Genes first;                                 // what is chosen without tuning
  std::map<std::string, std::string> what;     // the kernels' operators, by key
  size_t kernels = 0, pairs = 0;

  // What differs from `first`.
  Tuning tuning_of(const Genes& genes) const;
  // Of names and values: the same choices have the same.
  std::string hash() const;
};

// Of what is made without tuning. Pairs are those whose launches may be joint, where `options` lets
// any be.
TuningChoices find_choices(const CompileOptions& options, const Hardware& hardware);

}  // namespace burin

// Tuning files with choices of all kinds, drawn.
#pragma once

#include <cstdint>

#include "support/numbers.h"
#include "tune/choices.h"

namespace burin {

inline Tuning drawn_tuning(const CompileOptions& compile, const Hardware& hardware, uint64_t seed) {
  const TuningChoices choices = find_choices(compile, hardware);
  Numbers numbers(seed);
  Genes genes;
  for (const Gene& gene : choices.genes) genes.push_back(numbers.below(gene.values.size()));
  return choices.tuning_of(genes);
}

}  // namespace burin

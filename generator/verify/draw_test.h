// Were these numbers drawn from that distribution? The numbers are those of a fixed generator, so
// the answer is the same in every run.
//
// Of n draws, the distance between what was found and what is expected is counted in units of
// sqrt(n) draws: the largest difference of the two distribution functions (Dvoretzky, Kiefer and
// Wolfowitz, with Massart's constant), or of the number of ones and its expectation after any of
// the draws (Hoeffding, Azuma). In both cases right draws reach t units with a probability of at
// most 2 exp(-2 t^2): the bound of 5 is a false alarm in one of 10^21 tensors.
#pragma once

#include <string>

#include "kernel/draws.h"
#include "kernel/tensor.h"

namespace burin {

inline constexpr double kMostDistance = 5;

struct DrawTest {
  double distance = 0;
  std::string fault;  // a number that cannot be drawn
  bool agrees() const { return fault.empty() && distance <= kMostDistance; }
};

// `parameter`: the tensor that the distribution names; null: it names none.
DrawTest test_draws(const Distribution& distribution, const HostTensor& drawn,
                    const HostTensor* parameter);

}  // namespace burin

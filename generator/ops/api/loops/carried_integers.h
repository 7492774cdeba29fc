// What is known of integers that a loop carries: every iteration adds the same to one, so that it
// is known in each; or it stays between bounds, which sizes that it decides get from it (counters
// of what was found, positions, a length that is cut off). Of SoD2's lattice at a loop's header:
// equal, an expression of the iteration, bound, nac.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/symbolic/symbolic.h"
#include "ops/api/loops/ranking_function.h"

namespace burin {

// A carried tensor: before the loop, at the beginning of an iteration, and after it.
struct Passage {
  Operand initial, state, becomes;
};

class CarriedIntegers {
 public:
  CarriedIntegers(OpContext& op, size_t count) : op_(op), known_(count) {}

  // Of value k, at the beginning of an iteration, and after the loop, of which `all` trips are
  // made, or so many at most.
  void tell(size_t k, const Operand& initial, const Operand& state, const Symbol& iteration) const;
  void tell_after(size_t k, const Operand& initial, const Operand& state, const Dim& trips,
                  bool all) const;

  // What the body as it is lowered now says, where this is something else than before.
  struct News {
    std::vector<std::pair<size_t, std::optional<int64_t>>> steps;
    std::vector<std::pair<size_t, ElementBounds>> ranges;
    bool empty() const { return steps.empty() && ranges.empty(); }
  };
  News steps(const Steps& body,
             const std::function<std::optional<Counter>(size_t)>& counter_of) const;
  // Once everything else is settled, and inside the body.
  News ranges(const std::function<std::optional<Passage>(size_t)>& passage_of,
              const Dim& trips) const;
  // Takes it over, outside of what the caller attempts. True: what was found under what had been
  // said before is void.
  bool take(const News& news);

 private:
  struct Known {
    std::optional<int64_t> step;
    bool unsteady = false;  // not even that is the same always
    std::optional<ElementBounds> range;
  };

  OpContext& op_;
  std::vector<Known> known_;
};

}  // namespace burin

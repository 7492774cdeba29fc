// Wrong packings on purpose, to judge the checker: a packed module with one mistake in it.
#pragma once

#include <optional>
#include <string>

#include "vliw/assembly.h"
#include "vliw/support/random_assembly.h"

namespace burin::vliw::testing {

struct Mutation {
  std::string kind;  // "merge", "move-up", "swap", "drop-new", "slots"
  Module module;
};

// merge: two neighbouring packets become one (hidden read-after-write, too many for the slots).
// move-up, move-down: one instruction into a neighbouring packet. swap: two neighbouring packets.
// drop-new: a forwarded operand reads the old value. Nothing where the place drawn has no such
// mistake.
std::optional<Mutation> mutate(const Module& packed, const Machine& machine, Random& random);

}  // namespace burin::vliw::testing

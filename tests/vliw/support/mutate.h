// Wrong packings on purpose, to judge the checker: a packed module with one mistake in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vliw/assembly.h"
#include "vliw/support/random_assembly.h"

namespace burin::vliw::testing {

struct Mutation {
  std::string kind;
  Module module;
};

// merge         two neighbouring packets become one: hidden read after write, too many for the
// slots swap          two neighbouring packets change places move-up, move-down   an instruction
// goes into the packet before or behind across-label  the same where a label lies between
// across-call   the same over a packet that calls
// order         two instructions of a packet change places, stores and loads first
// drop-new      a forwarded operand reads the old value
// new-producer  a forwarded operand reads another result of its packet
// make-new      an operand reads its packet's value although it should read the old one
// drop, twice   an instruction is missing; one is done twice
// register      an operand that is no address names another register
// offset        an access is moved by its size
// loop-end      a loop ends one packet early
extern const std::vector<std::string> kMutations;

// A mistake of the kind, at a place drawn; nothing where 200 places have none.
std::optional<Mutation> mutate(const std::string& kind, const Module& packed,
                               const Machine& machine, Random& random);

}  // namespace burin::vliw::testing

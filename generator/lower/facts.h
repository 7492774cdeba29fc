// What propagation found out (SoD2 section 4.1), as text: rank, extents and contents of every
// tensor of the model, each with its element of the lattice of Figure 2.
#pragma once

#include <string>

#include "lower/lower.h"

namespace burin {

// undef < constant, symbolic < inferred (an expression over symbols) < nac, which is
// dynamic.
enum class Lattice : uint8_t { undefined, constant, symbolic, inferred, nac };
std::string_view to_string(Lattice element);
Lattice lattice_of(const Dim& dim);

struct LatticeCounts {
  int64_t constant = 0, symbolic = 0, inferred = 0, nac = 0, undefined = 0;
};
// Of the extents of inputs and of what nodes give.
LatticeCounts count_lattice(const std::vector<TensorFacts>& inputs,
                            const std::vector<NodeFacts>& nodes);

// "x f32 rank 2 [batch symbolic, 4*batch inferred, 7 constant] = {batch, 4}"
std::string to_string(const TensorFacts& facts);
// A line for every tensor, inputs first, and how many passes it took.
std::string facts_text(const std::vector<TensorFacts>& inputs, const std::vector<NodeFacts>& nodes,
                       int passes);

}  // namespace burin

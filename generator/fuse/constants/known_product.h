// Sums of products of two constants, of floats or of 32-bit integers, computed while generating:
// positions that every block of a network projects with weights of its own, queries that are
// learned.
//
// The sum becomes a load of a new constant, or the kernel's result a constant, where nothing else
// is in it. Where one factor is read at rows that are
// dynamic (a table of positions, cut to the length of the input), the constant has all rows of the
// table, and the run reads those of its product.
#pragma once

#include "fuse/access/options.h"

namespace burin {

// Adds to `made` how often, and whose nodes are known by now. A product stays where the run
// computes it in less time than memory brings what it reads more of (`multiply_adds_per_byte`, of
// the hardware), where all of them together would take too long now, and where they would make the
// constants of the graph half as large again.
KernelGraph with_known_products(KernelGraph graph, int64_t multiply_adds_per_byte, Rewrites& made);

}  // namespace burin

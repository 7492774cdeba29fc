// Attention as statements: in tiles, decode attention, or both behind the number of queries;
// select/products/attention_schedule.h and select/products/decode_attention.h say why.
#pragma once

#include <functional>

#include "select/programs/making.h"

namespace burin {

loops::Stmts attention_stmts(Making& making);

// Its parts.
loops::Stmts attention_tiles(Making& making);
loops::Stmts decode_attention(Making& making);

// Floats of the version's own scratch; they are there from here on.
loops::BufferId allocate(Making& making, const char* name, std::vector<Dim> shape,
                         const Dim& offset, loops::Stmts& out);

// The score of a key that takes no part: -infinity.
Expr float_number(double value);
Expr no_score();

// Reads of a let are this element, whatever their point says.
void read_let(Making& making, int let, std::function<Expr()> element);

// Infinities and NaN, less themselves, are no zero.
Expr is_finite(const Expr& number);

// 1 where `holds`, as a size that conditions ask for.
Expr flag_of(const Expr& holds);
Guard is_set(const Making& making, loops::BufferId flags, std::vector<Index> at);

}  // namespace burin

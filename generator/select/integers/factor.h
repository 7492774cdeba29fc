// One factor of a sum of products of 8-bit integers: what is stored, minus its zero point.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

struct ByteFactor {
  Expr stored;   // of type u8 or i8
  Expr zero;     // i32, the same at every point
  Guard inside;  // elsewhere the factor is 0; empty: nowhere
};

// The i32 expression as one: i32(stored), i32(stored) - zero, or such a one where a guard holds and
// else 0. nullopt: it is something else.
std::optional<ByteFactor> byte_factor(const Expr& factor);

// What is stored of a factor so that products are of `type`: u8 and i8 keep their bits but for the
// sign's, i16 has no zero point left. Where a guard does not hold it is the zero point.
struct StoredFactor {
  Expr element;  // of `type`
  Expr zero;     // i32: what the element is where the factor is 0
};
StoredFactor stored_as(const ByteFactor& factor, Type type);

}  // namespace burin

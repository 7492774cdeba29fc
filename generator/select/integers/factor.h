// One factor of a sum of products of narrow numbers: an 8-bit integer as it is stored, minus its
// zero point, or a bf16, which has none.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

struct NarrowFactor {
  Expr stored;   // of type u8 or i8, or a load of bf16
  Expr zero;     // of the factor's type, the same at every point
  Guard inside;  // elsewhere the factor is 0; empty: nowhere
};

// The expression as one: of type i32, i32(stored), i32(stored) - zero; of f32, stored; or such a
// one where a guard holds and else 0. nullopt: it is something else.
std::optional<NarrowFactor> narrow_factor(const Expr& factor);

// What is stored of a factor so that products are of `type`: u8 and i8 keep their bits but for the
// sign's, i16 has no zero point left, bf16 is as it was. Where a guard does not hold it is the zero
// point.
struct StoredFactor {
  Expr element;  // of `type`
  Expr zero;     // what the element is where the factor is 0, in the type of the sum
};
StoredFactor stored_as(const NarrowFactor& factor, Type type);

}  // namespace burin

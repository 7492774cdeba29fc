// Constant factors of contractions, packed now.
#pragma once

#include "select/products/contraction.h"

namespace burin {

// The packed panels of one constant factor as a value, [batch][blocks][depth][width], and the
// factor as a load from them. `lane` is the flattened axis that runs within a panel; -1: one point.
// `type` is that of the panels: f32, or f16 where all elements are fp16.
void prepack_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, Type type = Type::f32);

// What of a factor can be packed now, if anything: its parts, where it stays compact (compact.h;
// gives their bits), else the panels of a constant.
int64_t pack_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, Type type = Type::f32);

// Panels become [batch][blocks][depth][lanes], whatever axes the depth has; `batch`: dimensions.
void flatten_depth(Value& panels, size_t batch);
// The element of such panels at a point.
Expr panel_element(ValueId panels, const std::vector<Value>& values, std::vector<Index> batch,
                   const Index& depth, const Index& lane, int width);

}  // namespace burin

// Constant factors of contractions, packed now.
#pragma once

#include "select/products/contraction.h"

namespace burin {

// How a value says that it is panels: its dimensions are blocks and lanes, as programs read them,
// or its layout divides the lane's (images of devices follow layouts).
enum class PanelForm : uint8_t { shape, layout };

// The packed panels of one constant factor as a value, [batch][blocks][depth][width], and the
// factor as a load from them. `lane` is the flattened axis that runs within a panel; -1: one point.
// `type` is that of the panels: f32, or f16 where all elements are fp16.
void prepack_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, PanelForm form,
                    Type type = Type::f32);

// What of a factor can be packed now, if anything: its parts, where it stays compact (compact.h;
// gives their bits), else the panels of a constant.
int64_t pack_factor(Contraction& contraction, TileFactor& factor, int lane, int width,
                    const char* suffix, std::vector<Value>& values, PanelForm form,
                    Type type = Type::f32);

}  // namespace burin

// texels: what an unrolled loop over four components touches of one texel of an image is read as a
// whole in front of it, and written as a whole behind it (SmartMem 3.3: an image is read and
// written in texels of four).
//
//   call read_texel(texel0, x0[y, x]);  for lane { ... texel0[lane] ... texel1[lane] = v };
//   call write_texel(y0[y, x], texel1)
//
// Legal where the texel does not move inside of the loop. What is written in part has 0 elsewhere.
// A store to an image that is no part of a whole texel is left, and refused by who prints it.
#pragma once

#include "loops/program.h"

namespace burin::loops {

Program stage_texels(Program program);

}  // namespace burin::loops

// Texels of images on a device: four components that are read, or written, at once.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

std::vector<Instruction> texel_rows();

// Between an image of elements of `type` (f32, or f16, which becomes floats) and four floats.
const Instruction* read_texel(Type type);
const Instruction* write_texel(Type type);

}  // namespace burin::isa

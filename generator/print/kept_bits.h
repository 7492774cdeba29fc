// Elements that are copied as they lie in memory.
#pragma once

#include "loops/program.h"
#include "print/language.h"

namespace burin::print {

// Whether a store copies a narrow float from memory to memory, so that no number has to be made of
// it: the type of both is the same, and the language assigns such elements.
bool keeps_bits(const loops::Program& program, const loops::Store& store, const Language& language);

}  // namespace burin::print

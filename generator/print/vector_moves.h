// Stores of a loop over lanes that only move vectors, on a device: four neighbours at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loops/program.h"
#include "print/language.h"
#include "print/text_builder.h"

namespace burin::print {

// `pointer`: to an element of a buffer, as text: "&x0[4 * i0]".
void print_vector_moves(
    const loops::Program& program, const loops::For& loop,
    const std::function<std::string(loops::BufferId, const std::vector<Index>&)>& pointer,
    const Language& language, TextBuilder& text, Headers& headers);

}  // namespace burin::print

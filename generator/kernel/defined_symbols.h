// The symbols to which a step gives values.
#pragma once

#include <set>
#include <string>

#include "kernel/kernel.h"

namespace burin {

// By name: of binds, results of procedures and iterations that loops ran, also inside regions.
std::set<std::string> defined_symbols(const Step& step);

}  // namespace burin

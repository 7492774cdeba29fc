#pragma once

#include <set>
#include <string>

namespace burin::print {

// Headers of runtime_min that a piece of text needs, by file name.
using Headers = std::set<std::string>;

}  // namespace burin::print

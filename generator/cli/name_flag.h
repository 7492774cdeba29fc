// --name.
#pragma once

#include <string>

namespace burin {

// A name that was asked for is used as it is or not at all: somebody is going to include it. Else
// UsageError.
void check_name(const std::string& name);

}  // namespace burin

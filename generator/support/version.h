// The version of burin, as CMakeLists.txt has it.
#pragma once

#include <string_view>

namespace burin {

std::string_view version();

}  // namespace burin

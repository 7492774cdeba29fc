// Words that no emitted name may be.
#pragma once

#include <string_view>

namespace burin {

// Keywords of C, C++ and OpenCL C and names that are theirs by standard; macros of <stdint.h>,
// <math.h>, <limits.h> and of common platform headers, since the public header lands among them;
// names of devices on Windows; targets that CMake and its generators have of their own, since a
// tree is a target. The comparison ignores case: file names must not differ from these by case
// alone, and names in capitals are macros as often as not.
bool is_reserved_word(std::string_view text);

}  // namespace burin

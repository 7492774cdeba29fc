// Text for comments, broken into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin::print {

// `text` broken at spaces into lines of at most `columns` characters where that is possible; lines
// after the first start with `hang` spaces.
std::vector<std::string> wrapped(std::string_view text, size_t columns, size_t hang = 0);

}  // namespace burin::print

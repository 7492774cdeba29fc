// Long lines of printed code as several, broken where clang-format leaves them so with the style of
// a tree: behind an opening parenthesis, a comma, an assignment or an operator.
#pragma once

#include <string>
#include <string_view>

namespace burin::print {

// Lines that fit and those of the preprocessor stay as they are; a comment goes on in lines of its
// own; the statement of a condition that does not fit becomes a block; a remark behind a statement
// ends its last line.
// O(characters).
std::string with_line_breaks(std::string_view code);

}  // namespace burin::print

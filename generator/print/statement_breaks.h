// One statement that is too long for its line, or some of the arguments of a call.
#pragma once

#include <string>
#include <string_view>

namespace burin::print {

// What a character of code does to the number of brackets that are open.
inline int depth_change(char c) {
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

// All of a statement, without what comes behind `//`; where there is such a remark, what the
// statement assigns gets a line of its own.
std::string broken_statement(std::string_view text, size_t indent, bool has_remark);

// A line in the middle of a call: what ends it are commas and brackets that others have opened.
// Empty: the line is something else.
std::string broken_arguments(std::string_view text, size_t indent);

}  // namespace burin::print

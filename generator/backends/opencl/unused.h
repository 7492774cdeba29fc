// Variables that a printed function does not use, as where an index became coordinates of an image.
#pragma once

#include <string>

namespace burin::opencl {

// `body` without declarations of constants that nothing in their block mentions after them; what
// only these used goes as well. Declarations are lines of their own and have no effect but their
// value.
std::string without_unused(const std::string& body);

}  // namespace burin::opencl

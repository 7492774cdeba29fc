// For printers that keep their text in strings: what they put together from literals, numbers and
// names of their own ("x0", "i1") becomes Code here. Nothing that came from a model or a
// description may be in it: names go through Identifier, remarks through CommentText
// (render/text.h). Including this header is a place to review; a test keeps it to the backends.
#pragma once

#include <string>

#include "render/text.h"

namespace burin {

// Printable ASCII and line ends only: anything else is a bug (BURIN_CHECK).
Code printed_code(std::string text);

}  // namespace burin

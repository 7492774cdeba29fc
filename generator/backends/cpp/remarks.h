// Text for comments, broken into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.h"

namespace burin::cpp {

// `text` broken at spaces into lines of at most `columns` characters where that is possible; lines
// after the first start with `hang` spaces.
std::vector<std::string> wrapped(std::string_view text, size_t columns, size_t hang = 0);

// "Conv '/stem/conv', Relu '/stem/relu'": the nodes that a piece of code stands for, at most
// `most` by name.
std::string nodes_text(const std::vector<Origin>& origins, size_t most = 12);

}  // namespace burin::cpp

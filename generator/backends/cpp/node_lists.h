// The nodes that a piece of code stands for, all of them and yet short: networks repeat blocks, and
// names of their nodes differ in numbers.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin::cpp {

// "Conv '/stem/conv', Relu '/blocks.{0..5}/relu', '/head/relu'": by operator, in the order in which
// they come first. Names that differ in one number only are one with all its numbers in braces, as
// shells write them: {3,7} and {0..5}. Of several braces every combination is meant. A name that
// has braces itself stands alone.
std::string nodes_text(const std::vector<Origin>& origins);

}  // namespace burin::cpp

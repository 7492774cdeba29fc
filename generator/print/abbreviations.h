// Parts of formulas that come again and again get names, so that a reader sees each once.
#pragma once

#include <string>
#include <vector>

namespace burin::print {

// `lines`, where they are long, with the longest of `parts` that they have several times as e0, e1
// ..., and behind them a line "where e0 is ..." for each. A part is the text of a whole operand, as
// it stands in the lines.
std::vector<std::string> abbreviated(std::vector<std::string> lines,
                                     std::vector<std::string> parts);

}  // namespace burin::print

// The flags --dim and --input as refusals suggest them: text that can be pasted into a shell.
#pragma once

#include <string>
#include <string_view>

namespace burin {

// "--dim 'seq=1..512'" for any name, in one line and in ASCII. Without the name where it is too
// long for a line.
std::string dim_flag(std::string_view name, std::string_view sizes);
// "--input 'axes=0,1'", likewise.
std::string input_flag(std::string_view name, std::string_view numbers);

// A name that can be typed on a command line: letters, digits and single underscores.
std::string typeable_name(std::string_view name);

}  // namespace burin

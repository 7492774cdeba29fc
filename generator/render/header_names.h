// Names that the headers of C and POSIX take, however they are used. The lists are made by
// tests/project/header_names.py from the headers of a machine, and only grow.
#pragma once

#include <string_view>

namespace burin {

// A macro of some header: whoever includes it first gets something else for this name.
bool is_header_macro(std::string_view name);

// Whether a tree cannot be called so: include/<name>.h would stand in for a system's header (case
// is ignored, as some file systems do), or its <name>_init and their like are declared there.
bool is_header_name(std::string_view name);

// Whether `word` is one of a sorted list, of which each stands between spaces: bisection.
bool is_word_of(std::string_view sorted, std::string_view word);

}  // namespace burin

// Files of the project that are built into the program: templates/**, runtime_min/**,
// configs/*.json and configs/vliw/*.json (generator/embed.cmake makes them byte arrays). burin
// needs no installed data and cannot find a wrong one.
#pragma once

#include <string_view>
#include <vector>

namespace burin {

// The bytes of one file by its path in the project, "templates/cpp/loop.cpp.in". It is a bug to ask
// for one that is not there (BURIN_CHECK).
std::string_view embedded_file(std::string_view path);

// Paths that start with `prefix`, sorted by bytes.
std::vector<std::string_view> embedded_files(std::string_view prefix);

}  // namespace burin

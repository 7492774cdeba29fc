// What is said when a command line is not understood: one line, the cause first.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace burin {

// Prints "error: <what> [usage]; <hint>" to stderr, with every byte outside printable ASCII escaped
// (CLI11 repeats arguments as they were given). Returns kExitUsage.
int usage_error(const std::string& what, const std::string& hint);
// The same for what the parser says, which names all values of a flag that has few.
int parse_error(const std::string& what, const std::string& hint);

// What a command throws when the text of a flag is not understood; ends as usage_error(what, hint).
struct UsageError {
  std::string what, hint;
};

// Looks for unknown commands and flags before anything else is found to be missing: a mistyped flag
// is the cause, the missing one only a consequence. kExitOk when every name is known.
int check_names(const CLI::App& app, const std::vector<std::string>& arguments);

// A path as a shell takes it, for commands that are told.
std::string shell_word(const std::string& path);

// Help with lines of at most 100 columns.
std::string wrapped(const std::string& help);

}  // namespace burin

// What a shell offers for the values of flags: the same options that --help prints say it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace burin {

// Words that an option may have as its value, where the parser does not ask that it is one of them.
void offer(CLI::Option& option, const std::vector<std::string>& words);

// In the list of values: files may stand there, too.
inline constexpr const char* kFilesToo = "<files>";

// What may stand behind `words` of a command line, from the command's name on: values of the flag
// that is the last of them, or of the command itself. Names of inputs and sizes are those of the
// models among the words, and end with '='. Nothing: files, or what nobody knows.
std::vector<std::string> values_behind(CLI::App& app, const std::vector<std::string>& words);

}  // namespace burin

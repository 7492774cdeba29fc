#include "cli/usage.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/commands.h"
#include "support/diagnostics.h"
#include "support/spelling.h"

namespace burin {
namespace {

// The only name that begins so, else the nearest one. One letter is near to every other.
std::string meant(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() < 3) return "";
  const auto begins = [&](const std::string& one) { return one.starts_with(name); };
  const auto first = std::find_if(known.begin(), known.end(), begins);
  if (first != known.end() && std::find_if(first + 1, known.end(), begins) == known.end())
    return did_you_mean(*first, known);
  return did_you_mean(name, known);
}

// The way out of a usage error: the name that was meant, and where all names are listed.
std::string hint_for(std::string_view name, const std::vector<std::string>& known,
                     const std::string& help) {
  const std::string nearest = meant(name, known);
  return nearest.empty() ? "see " + help : nearest + "; see " + help;
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

constexpr size_t kColumns = 100;
constexpr size_t kIndent = 30;  // where CLI11 puts descriptions

}  // namespace

namespace {

// The beginnings of words that nobody reads to their end: a command line may be megabytes long.
std::string with_short_words(const std::string& text) {
  constexpr size_t kLongest = 256, kShown = 96;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    out += end - at > kLongest ? text.substr(at, kShown) + "..." : text.substr(at, end - at);
    if (end < text.size()) out += ' ';
    at = end + 1;
  }
  return out;
}

}  // namespace

int parse_error(const std::string& what, const std::string& hint) {
  const size_t middle = what.find(" not in {"), colon = what.find(": ");
  if (middle == what.npos || colon > middle || !what.ends_with("}")) return usage_error(what, hint);
  const std::string given = what.substr(colon + 2, middle - colon - 2);
  std::vector<std::string> known;
  std::string all;
  for (size_t at = what.find('{', middle) + 1; at < what.size();) {
    const size_t end = what.find_first_of(",}", at);
    known.push_back(what.substr(at, end - at));
    all += (all.empty() ? "" : ", ") + known.back();
    at = end + 1;
  }
  const std::string nearest = meant(given, known);
  return usage_error(what.substr(0, colon) + " has no " + burin::quoted(given),
                     (nearest.empty() ? "" : nearest + "; ") + "it has " + all);
}

int usage_error(const std::string& what, const std::string& hint) {
  std::string line;
  for (const char c : "error: " + with_short_words(what) + " [usage]; " + hint) {
    const auto byte = static_cast<unsigned char>(c);
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, byte >= 0x20 && byte < 0x7f ? "%c" : "\\x%02x", byte);
    line += escaped;
  }
  std::fprintf(stderr, "%s\n", line.c_str());
  return kExitUsage;
}

int check_names(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return usage_error("no command is given", "see burin --help");
  const CLI::App* command = &app;
  std::string help = "burin --help";
  size_t first = 0;
  if (arguments[0][0] != '-') {
    std::vector<std::string> names;
    command = nullptr;
    for (const CLI::App* one : app.get_subcommands({})) {
      names.push_back(one->get_name());
      if (one->get_name() == arguments[0]) command = one;
    }
    if (!command) {
      return usage_error("there is no command " + burin::quoted(arguments[0]),
                         hint_for(arguments[0], names, help));
    }
    help = "burin " + arguments[0] + " --help";
    first = 1;
  }
  for (size_t i = first; i < arguments.size(); ++i) {
    if (!arguments[i].empty()) continue;
    const bool of_flag = i > first && arguments[i - 1].starts_with("-");
    return usage_error(of_flag ? "what follows " + arguments[i - 1] + " is empty"
                               : "argument " + std::to_string(i + 1) + " is empty",
                       "is a variable of the shell not set?");
  }
  for (size_t i = first; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& given = arguments[i];
    if (given.starts_with("--") && given.size() > 3 && given.find('=') == given.size() - 1)
      return usage_error("what follows " + given.substr(0, given.size() - 1) + " is empty",
                         "is a variable of the shell not set?");
    if (given.size() < 2 || given[0] != '-' || (given[1] >= '0' && given[1] <= '9')) continue;
    const std::string name =
        given[1] == '-' ? given.substr(0, given.find('=')) : given.substr(0, 2);
    if (!command->get_option_no_throw(name)) {
      return usage_error("there is no flag " + burin::quoted(name),
                         hint_for(name, flags_of(*command), help));
    }
  }
  return kExitOk;
}

std::string shell_word(const std::string& path) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '/' || c == '-' || c == '+' || c == '=';
  };
  if (!path.empty() && path[0] != '-' && std::all_of(path.begin(), path.end(), plain)) return path;
  // Other bytes as a shell spells them: no terminal shows all of them as they are.
  const auto other = [](unsigned char c) { return c < 0x20 || c >= 0x7f; };
  const bool spelled = std::any_of(path.begin(), path.end(), other);
  std::string out = spelled ? "$'" : "'";
  if (path.starts_with("-")) out += "./";
  for (const char c : path) {
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (spelled && (other(static_cast<unsigned char>(c)) || c == '\'' || c == '\\')) {
      out += octal;
    } else {
      out += c == '\'' ? "'\\''" : std::string(1, c);
    }
  }
  return out + "'";
}

std::string wrapped(const std::string& help) {
  std::string out;
  size_t at = 0;
  while (at < help.size()) {
    const size_t end = std::min(help.find('\n', at), help.size());
    std::string line = help.substr(at, end - at);
    while (line.size() > kColumns) {
      const size_t space = line.rfind(' ', kColumns);
      if (space == std::string::npos || space <= kIndent) break;
      out += line.substr(0, space) + "\n";
      line = std::string(kIndent, ' ') + line.substr(space + 1);
    }
    out += line + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace burin

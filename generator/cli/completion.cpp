#include "cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/config_flag.h"
#include "import/operators.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr const char* kOffered = "offered:";  // what the name of such a check begins with

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> out;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// Of the parser's own checks of a word, and of those that offer() adds.
std::vector<std::string> words_of(CLI::Option& option) {
  std::vector<std::string> out;
  for (int i = 0;; ++i) {
    const CLI::Validator* check = nullptr;
    try {
      check = option.get_validator(i);
    } catch (const CLI::OptionNotFound&) {
      return out;
    }
    const std::string name = check->get_name(), list = check->get_description();
    std::vector<std::string> found;
    if (name.starts_with(kOffered)) {
      found = parts_of(name.substr(std::string(kOffered).size()));
    } else if (list.starts_with("{") && list.ends_with("}")) {
      found = parts_of(list.substr(1, list.size() - 2));
    }
    out.insert(out.end(), found.begin(), found.end());
  }
}

// The words of a command line that are no flags and no values of flags.
std::vector<std::string> given_words(const CLI::App& command,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (size_t i = 1; i < words.size(); ++i) {
    const CLI::Option* option = command.get_option_no_throw(words[i]);
    if (words[i].starts_with("-")) {
      if (option && option->get_items_expected_max() > 0) ++i;
    } else {
      out.push_back(words[i]);
    }
  }
  return out;
}

std::vector<DeclaredInput> inputs_of(const std::vector<std::string>& files) {
  std::vector<DeclaredInput> out;
  for (const std::string& file : files) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) continue;
    try {
      const UsedOperators used = operators_of(file);
      out.insert(out.end(), used.inputs.begin(), used.inputs.end());
    } catch (const Refused&) {
      continue;  // it is no model
    }
  }
  return out;
}

std::string value_of(const std::vector<std::string>& words, const std::string& flag) {
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == flag) return words[i + 1];
  }
  return {};
}

std::vector<std::string> compilers_of(const std::string& config) {
  std::vector<std::string> out;
  try {
    for (const Compiler& one : load_hardware_flag(config).compilers) out.push_back(one.name);
  } catch (const Refused&) {
    out.clear();
  }
  return out;
}

std::vector<std::string> values_of(const CLI::App& command, CLI::Option& option,
                                   const std::vector<std::string>& words) {
  std::vector<std::string> out = words_of(option);
  std::set<std::string> names;
  const bool of_sizes = option.check_lname("dim");
  const bool of_inputs = option.check_lname("input") || option.check_lname("state");
  if (of_sizes || of_inputs) {
    for (const DeclaredInput& input : inputs_of(given_words(command, words))) {
      if (of_inputs) names.insert(input.name);
      if (of_sizes) names.insert(input.sizes.begin(), input.sizes.end());
    }
  }
  for (const std::string& name : names) out.push_back(name + "=");
  if (option.check_lname("config")) out = words_of_configs();
  if (option.check_lname("compiler")) out = compilers_of(value_of(words, "--config"));
  if (!out.empty() && option.get_type_name().starts_with("FILE")) out.emplace_back(kFilesToo);
  return out;
}

}  // namespace

void offer(CLI::Option& option, const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ",") + word;
  option.check(CLI::Validator([](std::string&) { return std::string(); }, "", kOffered + list));
}

std::vector<std::string> values_behind(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = nullptr;
  for (CLI::App* one : app.get_subcommands([](CLI::App*) { return true; })) {
    if (!words.empty() && one->get_name() == words[0]) command = one;
  }
  if (command == nullptr) return {};
  CLI::Option* option = nullptr;
  const std::string& last = words.back();
  if (last.starts_with("-")) option = command->get_option_no_throw(last);
  if (option && option->get_items_expected_max() == 0) option = nullptr;
  // What stands by itself, where it is one word.
  for (CLI::Option* one : command->get_options([](CLI::Option*) { return true; })) {
    if (!option && one->get_positional() && given_words(*command, words).empty()) option = one;
  }
  return option ? values_of(*command, *option, words) : std::vector<std::string>();
}

}  // namespace burin

// The project's rules for its own files: sizes, folders, words and paths. Each failure names the
// file, and what to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "unit/support/source_files.h"

namespace burin::lint_source_test {
namespace {

constexpr size_t kMostLines = 400;

// Regular expressions are slow; most files and lines have none of the words that one begins with.
bool has_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

TEST(LintSource, TheProjectIsFound) {
  const auto has = [](const char* path) {
    return std::any_of(source_files().begin(), source_files().end(),
                       [&](const SourceFile& file) { return file.path == path; });
  };
  EXPECT_TRUE(has("CMakeLists.txt"));
  EXPECT_TRUE(has("generator/main.cpp"));
  EXPECT_TRUE(has("runtime_min/exp.h"));
  EXPECT_TRUE(has("tests/unit/lint_source_test.cpp"));
  EXPECT_FALSE(source_models().empty());
}

TEST(LintSource, LiteralsAreFound) {
  const std::string text =
      "#include \"a/b.h\"\n"
      "// \"comment\"\n"
      "f(\"one\", '\"', 65'536, \"t\\\"wo\"); /* \"no\n\" */ g(R\"x(a\"\n)\")x\");\n"
      "h(\"last\");\n";
  std::vector<std::string> found;
  std::vector<int> lines;
  for (const Literal& literal : string_literals(text)) {
    found.push_back(literal.text);
    lines.push_back(literal.line);
  }
  EXPECT_EQ(found, (std::vector<std::string>{"one", "t\\\"wo", "a\"\n)\"", "last"}));
  EXPECT_EQ(lines, (std::vector<int>{3, 3, 4, 6}));
  ASSERT_EQ(includes_of(text).size(), 1u);
  EXPECT_EQ(includes_of(text)[0].text, "a/b.h");
}

TEST(LintSource, FilesAreSmall) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") && !file.is_in("runtime_min") && !file.is_in("templates"))
      continue;
    if (!file.is_code()) continue;
    const size_t lines = lines_of(file.text).size();
    EXPECT_LE(lines, kMostLines) << file.path << " has more than one subject: split it";
  }
}

// A name tells which file is meant. Operators have the names that ONNX gives them.
// What trees carry is the user's.
TEST(LintSource, RuntimeFilesSayTheirLicence) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("runtime_min") || !file.is_code()) continue;
    EXPECT_TRUE(file.text.starts_with("// SPDX-License-Identifier: MIT-0\n")) << file.path;
  }
}

TEST(LintSource, AFileNameIsUsedOnce) {
  std::map<std::string, std::string> known;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    const size_t slash = file.path.rfind('/');
    if (file.path.substr(0, slash) == "generator/ops") continue;
    const auto [at, first] = known.emplace(file.path.substr(slash + 1), file.path);
    EXPECT_TRUE(first) << file.path << " has the name of " << at->second << ": give it its own";
  }
  EXPECT_GT(known.size(), 500u);
}

TEST(LintSource, HeadersAreIncludedOnce) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.ends_with(".h")) continue;
    const std::vector<std::string> lines = lines_of(file.text);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), "#pragma once"), 1) << file.path;
  }
}

// Folders whose files one README explains together with their parent's.
std::string documented_folder(const SourceFile& file) {
  size_t depth = file.is_in("generator/backends") ? 3 : 2;
  size_t end = 0;
  for (; depth > 0 && end != std::string::npos; --depth) end = file.path.find('/', end + 1);
  return file.path.substr(0, end == std::string::npos ? file.path.rfind('/') : end);
}

TEST(LintSource, EveryFolderOfTheGeneratorExplainsItself) {
  std::set<std::string> folders, explained;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator")) continue;
    folders.insert(documented_folder(file));
    if (file.ends_with("/README.md")) explained.insert(documented_folder(file));
  }
  EXPECT_TRUE(folders.contains("generator/backends/cpp"));
  for (const std::string& folder : folders) {
    EXPECT_TRUE(explained.contains(folder))
        << folder << " needs a README.md: what goes in, what comes out, how, limits";
  }
}

TEST(LintSource, ContributingNamesEveryFolder) {
  std::set<std::string> folders;
  std::string text;
  for (const SourceFile& file : source_files()) {
    if (file.path == "CONTRIBUTING.md") text = file.text;
    const size_t end = file.path.find('/');
    if (end == std::string::npos || file.path[0] == '.') continue;
    folders.insert(file.path.substr(0, end) + "/");
    const size_t second = file.path.find('/', end + 1);
    if (file.is_in("generator") && second != std::string::npos)
      folders.insert(file.path.substr(end + 1, second - end - 1));
  }
  EXPECT_TRUE(folders.contains("generator/"));
  EXPECT_TRUE(folders.contains("layout"));
  for (const std::string& folder : folders)
    EXPECT_NE(text.find("`" + folder + "`"), std::string::npos) << folder;
}

// A folder of one machine has no place in a file of the project.
TEST(LintSource, NoPathsOfOneMachine) {
  const std::initializer_list<const char*> names = {"work", "home", "root", "tmp", "mnt", "Users"};
  std::string any;
  for (const char* name : names) any += (any.empty() ? "" : "|") + std::string(name);
  const std::regex path("(^|[^A-Za-z0-9_.$})/-])/(" + any + ")(/|$|[^A-Za-z0-9_/-])");
  for (const SourceFile& file : source_files()) {
    int number = 0;
    for (const std::string& line : lines_of(file.text)) {
      ++number;
      if (line.size() > 10'000 || !has_any(line, names)) continue;
      EXPECT_FALSE(std::regex_search(line, path))
          << file.path << ":" << number << ": " << line << "\nuse a relative path, or a parameter";
    }
  }
}

TEST(LintSource, NoSideOfAMergeIsLeft) {
  for (const SourceFile& file : source_files()) {
    for (const std::string& line : lines_of(file.text)) {
      const bool mark = line.starts_with(
                            "<<<<<<"
                            "< ") ||
                        line.starts_with(
                            ">>>>>>"
                            "> ");
      EXPECT_FALSE(mark) << file.path << ": " << line;
    }
  }
}

TEST(LintSource, NothingIsLeftForLater) {
  const std::regex word(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X|HA"
      "CK)\\b");
  for (const SourceFile& file : source_files()) {
    if (!has_any(file.text, {"TO"
                             "DO",
                             "FIX"
                             "ME",
                             "XX"
                             "X",
                             "HA"
                             "CK"}))
      continue;
    int number = 0;
    for (const std::string& line : lines_of(file.text)) {
      ++number;
      if (line.size() > 10'000) continue;
      EXPECT_FALSE(std::regex_search(line, word))
          << file.path << ":" << number << ": do it, or describe the limit in a README";
    }
  }
}

// The same model gives the same bytes: clocks that measure are allowed, everything else that
// differs from run to run is not.
TEST(LintSource, NothingDependsOnTheDayOrOnChance) {
  const std::regex word(
      "\\b(random_device|s?rand|system_clock|gethostname|localtime|gmtime)\\b|__(DATE|TIME)__");
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") && !file.is_in("runtime_min")) continue;
    if (!file.is_code()) continue;
    int number = 0;
    for (const std::string& line : lines_of(file.text)) {
      ++number;
      const std::string code = line.substr(0, line.find("//"));
      if (!has_any(code, {"random_device", "rand", "system_clock", "gethostname", "localtime",
                          "gmtime", "__DATE__", "__TIME__"}))
        continue;
      EXPECT_FALSE(std::regex_search(code, word)) << file.path << ":" << number << ": " << line;
    }
  }
}

// Hash tables are looked up, never walked: their order is an accident. Names of tables are those
// that a folder declares.
TEST(LintSource, NothingWalksAHashTable) {
  const std::regex table("unordered_(map|set)<[^;]*>&? (\\w+)[;{(=,)]");
  std::map<std::string, std::set<std::string>> names;  // by folder
  const auto folder = [](const SourceFile& file) {
    return file.path.substr(0, file.path.rfind('/'));
  };
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code() || !has_any(file.text, {"unordered_"}))
      continue;
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), table), end; at != end; ++at)
      names[folder(file)].insert((*at)[2]);
  }
  EXPECT_FALSE(names.empty());
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    for (const std::string& name : names[folder(file)]) {
      if (!has_any(file.text, {(name + ".").c_str(), (": " + name + ")").c_str()})) continue;
      const std::regex walk("for \\([^;)]* : " + name + "\\)|\\b" + name + "\\.c?begin\\(");
      EXPECT_FALSE(std::regex_search(file.text, walk))
          << file.path << " walks the hash table " << name
          << ": sort what it holds, or use std::map";
    }
  }
}

TEST(LintSource, NoTestIsSkipped) {
  const std::regex word(
      "\\b(GTEST_"
      "SKIP|DISA"
      "BLED_\\w+)");
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("tests") || !file.is_code() ||
        !has_any(file.text, {"GTEST_"
                             "SKIP",
                             "DISA"
                             "BLED_"}))
      continue;
    EXPECT_FALSE(std::regex_search(file.text, word))
        << file.path << ": a test runs, or says what is missing and fails";
  }
}

}  // namespace
}  // namespace burin::lint_source_test

// A type of a namespace is defined once: two of one name in two headers compile and link, and then
// one has the destructor of the other.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "unit/support/source_files.h"

namespace burin::lint_type_test {
namespace {

// The types that are defined at the left margin of a file, with their namespaces; not those in
// unnamed ones, which are the file's own.
std::vector<std::string> types_of(const std::string& text) {
  static const std::regex space("^(?:inline )?namespace ?([A-Za-z_0-9:]*) ?\\{$"),
      type(
          "^(?:struct|enum class|class|enum|union) ([A-Za-z_0-9]+)(?: final)?(?: :[^:;].*)? "
          "\\{.*$");
  std::vector<std::string> spaces, out;
  for (const std::string& line : lines_of(text)) {
    std::smatch found;
    if (std::regex_match(line, found, space)) {
      spaces.push_back(found[1]);
    } else if (line.starts_with("}  // namespace") && !spaces.empty()) {
      spaces.pop_back();
    } else if (std::regex_match(line, found, type)) {
      std::string name;
      bool unnamed = false;
      for (const std::string& one : spaces) {
        unnamed = unnamed || one.empty();
        name += one + "::";
      }
      if (!unnamed) out.push_back(name + found[1].str());
    }
  }
  return out;
}

TEST(LintType, FindsTypesWithTheirNamespaces) {
  const std::string text =
      "namespace burin {\nstruct A;\nstruct B {\n  struct C {};\n};\nnamespace {\nclass D {\n"
      "};\n}  // namespace\nnamespace loops {\nenum class E : int { a };\n}  // namespace loops\n"
      "class F final : public B {\n};\n}  // namespace burin\n";
  EXPECT_EQ(types_of(text), (std::vector<std::string>{"burin::B", "burin::loops::E", "burin::F"}));
}

TEST(LintType, EveryTypeIsDefinedOnce) {
  std::map<std::string, std::string> where;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    for (const std::string& type : types_of(file.text)) {
      const auto [known, added] = where.emplace(type, file.path);
      EXPECT_TRUE(added) << type << " is defined in " << known->second << " and in " << file.path;
    }
  }
  EXPECT_GT(where.size(), 500U);
}

}  // namespace
}  // namespace burin::lint_type_test

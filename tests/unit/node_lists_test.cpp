// Lists of nodes in comments: every node is named, repeated blocks by their numbers.
#include "backends/cpp/node_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace burin::cpp::node_lists_test {
namespace {

std::vector<Origin> nodes(const std::string& op, const std::vector<std::string>& names) {
  std::vector<Origin> out;
  for (const std::string& name : names) out.push_back({name, op});
  return out;
}

std::string names_text(const std::vector<std::string>& names) {
  return nodes_text(nodes("Conv", names));
}

TEST(NodeLists, NodesStandByOperatorInTheOrderOfTheFirst) {
  EXPECT_EQ(nodes_text({}), "");
  EXPECT_EQ(nodes_text({{"c", "Conv"}, {"r", "Relu"}, {"d", "Conv"}}), "Conv 'c', 'd', Relu 'r'");
}

TEST(NodeLists, NumbersThatDifferAreInBraces) {
  EXPECT_EQ(names_text({"block0", "block1", "block2", "block3"}), "Conv 'block{0..3}'");
  EXPECT_EQ(names_text({"block0", "block1"}), "Conv 'block{0,1}'");
  EXPECT_EQ(names_text({"a.9.w", "a.10.w", "a.11.w", "a.2.w"}), "Conv 'a.{2,9..11}.w'");
  EXPECT_EQ(names_text({"l.0/c.0", "l.0/c.1", "l.1/c.0", "l.1/c.1"}), "Conv 'l.{0,1}/c.{0,1}'");
}

TEST(NodeLists, OnlyWholeCombinationsAreOne) {
  EXPECT_EQ(names_text({"l.0/c.0", "l.0/c.1", "l.1/c.0"}), "Conv 'l.0/c.{0,1}', 'l.1/c.0'");
  EXPECT_EQ(names_text({"MatMul", "MatMul_1", "MatMul_2"}), "Conv 'MatMul', 'MatMul_{1,2}'");
}

TEST(NodeLists, NumbersAreWrittenInOneWay) {
  EXPECT_EQ(names_text({"c01", "c02", "c1"}), "Conv 'c01', 'c02', 'c1'");
  EXPECT_EQ(names_text({"c1234567890", "c1234567891"}), "Conv 'c1234567890', 'c1234567891'");
  EXPECT_EQ(names_text({"c{0}", "c{1}"}), "Conv 'c{0}', 'c{1}'");
}

// What braces mean, from the definition.
std::vector<std::string> expanded(const std::string& name) {
  static const std::regex braces(R"(\{([0-9,.]+)\})");
  std::smatch found;
  if (!std::regex_search(name, found, braces)) return {name};
  std::vector<std::string> out;
  std::stringstream parts(found[1].str());
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t dots = part.find("..");
    const int first = std::stoi(part),
              last = dots == part.npos ? first : std::stoi(part.substr(dots + 2));
    for (int number = first; number <= last; ++number) {
      for (const std::string& rest : expanded(found.suffix().str()))
        out.push_back(found.prefix().str() + std::to_string(number) + rest);
    }
  }
  return out;
}

TEST(NodeLists, BracesMeanTheNamesAndNoOthers) {
  for (int subset = 1; subset < 1 << 9; ++subset) {
    std::vector<std::string> names;
    for (int i = 0; i < 9; ++i) {
      if (subset >> i & 1)
        names.push_back("n" + std::to_string(i / 3 + 3) + "_" + std::to_string(i % 3));
    }
    std::string text = names_text(names).substr(6);
    std::vector<std::string> read;
    for (size_t end; (end = text.find('\'')) != text.npos;) {
      for (const std::string& one : expanded(text.substr(0, end))) read.push_back(one);
      const size_t next = text.find('\'', end + 1);
      text = next == text.npos ? "" : text.substr(next + 1);
    }
    std::sort(names.begin(), names.end());
    std::sort(read.begin(), read.end());
    EXPECT_EQ(read, names) << names_text(names);
  }
}

}  // namespace
}  // namespace burin::cpp::node_lists_test

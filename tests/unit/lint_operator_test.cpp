// Operators are known to their own files and to nobody behind lowering, and each is exercised.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "ops/api/op_table.h"
#include "unit/support/source_files.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

std::set<std::string> operator_names() {
  std::set<std::string> names;
  for (const OpDef& op : op_table()) names.insert(std::string(op.name));
  return names;
}

TEST(LintOperator, PassesNameNone) {
  const std::set<std::string> names = operator_names();
  ASSERT_FALSE(names.empty());
  int literals = 0;
  for (const char* folder : {"kernel", "lower", "fuse", "select", "plan", "backends", "render"}) {
    for (const SourceFile& file : source_files()) {
      if (!file.is_in(std::string("generator/") + folder) || !file.is_code()) continue;
      for (const Literal& literal : string_literals(file.text)) {
        ++literals;
        EXPECT_FALSE(names.contains(literal.text))
            << file.path << ":" << literal.line << " names the operator " << literal.text
            << ": a pass asks an OpDef or recognises what a kernel computes";
      }
    }
  }
  EXPECT_GT(literals, 100);
}

// The words of a text: C++ and Python tests name operators in strings.
std::set<std::string> words(const std::string& text) {
  std::set<std::string> out;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else if (!word.empty()) {
      out.insert(std::move(word));
      word.clear();
    }
  }
  return out;
}

// A node's operator in a model: field 4, a string, its length in one byte.
void erase_used(std::set<std::string>& names, const std::string& model) {
  std::erase_if(names, [&](const std::string& name) {
    return model.find(std::string("\x22") + static_cast<char>(name.size()) + name) !=
           std::string::npos;
  });
}

TEST(LintOperator, EachIsExercised) {
  std::set<std::string> names = operator_names();
  for (const SourceFile& model : source_models()) erase_used(names, model.text);
  // The tests over the ONNX project's data run every case there.
  const fs::path root = "/usr/share/libonnx-testdata/data";
  ASSERT_TRUE(fs::exists(root)) << root << " is missing; install libonnx-testdata";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".onnx" || entry.file_size() > 1'000'000) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    erase_used(names, {std::istreambuf_iterator<char>(file), {}});
  }
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("tests") || !(file.is_code() || file.ends_with(".py"))) continue;
    const std::set<std::string> used = words(file.text);
    std::erase_if(names, [&](const std::string& name) { return used.contains(name); });
  }
  for (const std::string& name : names) {
    ADD_FAILURE() << "no test has a node of the operator " << name;
  }
}

}  // namespace
}  // namespace burin

// The files of the project, for tests of its own rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin {

struct SourceFile {
  std::string path;  // from the root of the project, with '/'
  std::string text;

  bool is_in(std::string_view folder) const;      // "generator/kernel"
  bool ends_with(std::string_view ending) const;  // ".h"
  bool is_code() const { return ends_with(".cpp") || ends_with(".h"); }
};

// Every text file of the project, by path: its folders and the files beside them, without what
// builds leave there. Read once.
const std::vector<SourceFile>& source_files();
const std::vector<SourceFile>& source_models();  // the *.onnx files of tests/

std::vector<std::string> lines_of(const std::string& text);

struct Literal {
  std::string text;  // between the quotes, escapes as written
  int line;
};

// The string literals of C++ text, raw ones included; not those in comments and #include lines.
std::vector<Literal> string_literals(const std::string& text);

// "x/y.h" of every #include "x/y.h" and <x/y.h>.
std::vector<Literal> includes_of(const std::string& text);

}  // namespace burin

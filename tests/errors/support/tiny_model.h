// Models as a few lines of text, for tables of diagnostics: everything that an ONNX file can say
// wrongly, but readable in a diff. tests/errors/golden/README.md has the grammar.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin {

struct TinyModel {
  std::string bytes;              // of the ONNX file
  std::vector<std::string> dims;  // arguments of --dim
  bool strict = false;            // --strict
};

// Throws std::runtime_error with the line that is not understood: a fault of the test.
TinyModel tiny_model(std::string_view text);

}  // namespace burin

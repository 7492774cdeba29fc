// Which operators a file uses, whether or not anybody knows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "import/import.h"
#include "support/diagnostics.h"

namespace burin {

struct UsedOperator {
  std::string domain;  // "" is ai.onnx
  std::string op;
  int64_t version = 0;  // of the operator set that its node imports; 0: none
  int64_t nodes = 0;    // of the file, bodies of nodes and of functions included
  std::string first;    // "node 17 'conv1'"
  std::string hint;     // of a domain that burin does not know: what would do
};

// An input as the file declares it.
struct DeclaredInput {
  std::string name, type;                         // "f32"; empty: it is no tensor
  std::optional<std::vector<std::string>> shape;  // numbers, names, or "?"
  std::vector<std::string> sizes;                 // that have names, once each
};

struct UsedOperators {
  int64_t ir_version = 0, nodes = 0;
  std::vector<std::pair<std::string, int64_t>> opsets;  // of the model, in its order
  std::vector<UsedOperator> operators;                  // by domain, name and version
  std::vector<DeclaredInput> inputs;                    // without initializers
  std::vector<Diagnostic> faults;  // of the versions that the file names, as import refuses them
};

// Calls of the model's own functions are not operators; their bodies are counted once. Refuses what
// is no ONNX file; versions that import does not read pass. `assumed`: the version of ai.onnx,
// whatever the file says. O(bytes of nodes).
UsedOperators operators_of(const std::string& path, const ImportLimits& limits = {},
                           std::optional<int> assumed = {});

}  // namespace burin

// What reads an input and nothing more: a fuzzer of these alone is a small program, whose counters
// are looked through after every input.
#include "fuzz/support/targets.h"
#include "graph/graph.h"
#include "hardware/load.h"
#include "import/import.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin::fuzz {
namespace {

// A fuzzer's process has 2 GB and the sanitizers' share of them; the stages get less than a user's.
constexpr int64_t kMemoryBytes = int64_t{64} << 20;
constexpr int64_t kSparseBytes = int64_t{1} << 20;
constexpr int64_t kFoldOperations = 1'000'000;
constexpr int64_t kAllElements = int64_t{1} << 40;

void check_lines(const Refused& refused, std::string_view file) {
  BURIN_CHECK(!refused.diagnostics.empty(), "a refusal of nothing");
  for (const Diagnostic& diagnostic : refused.diagnostics) {
    const std::string line = to_line(diagnostic);
    BURIN_CHECK(line.starts_with(file), "the line does not name its file: " + line);
    for (const char c : line) BURIN_CHECK(c >= 0x20 && c < 0x7f, "the line has other bytes");
  }
}

void check_round_trip(const Graph& graph) {
  BURIN_CHECK(parse_graph(to_string(graph, kAllElements)) == graph, "the text gives another graph");
}

}  // namespace

bool accepted(std::string_view file, const std::function<void()>& body) {
  try {
    body();
    return true;
  } catch (const Refused& refused) {
    check_lines(refused, file);
    return false;
  }
}

CompileOptions limited_options() {
  CompileOptions options;
  options.import.limits.memory_bytes = kMemoryBytes;
  options.import.limits.sparse_bytes = kSparseBytes;
  options.lower.fold_operations = kFoldOperations;
  return options;
}

bool import_input(std::string_view bytes) {
  if (bytes.starts_with('g')) {
    return accepted("", [&] {
      const Graph graph = parse_graph(bytes);
      check_graph(graph);
      check_round_trip(graph);
    });
  }
  ImportOptions options;
  options.limits.memory_bytes = kMemoryBytes;
  options.limits.sparse_bytes = kSparseBytes;
  return accepted("m.onnx",
                  [&] { check_round_trip(import_model_bytes(bytes, "m.onnx", options)); });
}

bool config_input(std::string_view text) {
  return accepted("c.json", [&] {
    const Hardware hardware = parse_hardware(text, "c.json");
    BURIN_CHECK(to_string(hardware) == to_string(parse_hardware(text, "c.json")),
                "read twice, two descriptions");
  });
}

}  // namespace burin::fuzz

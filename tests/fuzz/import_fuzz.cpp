// libFuzzer: any bytes are either refused with one line or give a graph that checks and whose text
// reads back. The first byte of the input chooses what is read: a model or the text of a graph.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "graph/graph.h"
#include "import/import.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void fuzz_model(std::string_view bytes) {
  burin::ImportOptions options;
  options.limits.memory_bytes = int64_t{64} << 20;
  options.limits.sparse_bytes = int64_t{1} << 20;
  const burin::Graph graph = burin::import_model_bytes(bytes, "m.onnx", options);
  require(burin::parse_graph(burin::to_string(graph, int64_t{1} << 40)) == graph);
}

void fuzz_text(std::string_view text) {
  const burin::Graph graph = burin::parse_graph(text);
  burin::check_graph(graph);
  require(burin::parse_graph(burin::to_string(graph, int64_t{1} << 40)) == graph);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (bytes[0] == 'g') {
      fuzz_text(bytes);
    } else {
      fuzz_model(bytes);
    }
  } catch (const burin::Refused& refused) {
    require(std::string_view(refused.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}

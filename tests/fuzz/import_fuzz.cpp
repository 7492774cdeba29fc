// libFuzzer: any bytes are refused or give a graph that checks and whose text reads back. The first
// byte chooses what is read: a model, or ('g') the text of a graph.
#include <cstddef>
#include <cstdint>

#include "fuzz/support/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  burin::fuzz::import_input({reinterpret_cast<const char*>(data), size});
  return 0;
}

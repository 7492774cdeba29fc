// libFuzzer: a model from its bytes to the text of its tree.
#include <cstddef>
#include <cstdint>

#include "fuzz/support/targets.h"
#include "support/process.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const burin::ScratchFolder scratch;
  burin::fuzz::generate_input({reinterpret_cast<const char*>(data), size}, scratch.path());
  return 0;
}

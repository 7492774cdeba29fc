// libFuzzer: a model computes the same as it was lowered and as it is planned, kernel by kernel.
#include <cstddef>
#include <cstdint>

#include "fuzz/support/compared.h"
#include "support/process.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const burin::ScratchFolder scratch;
  burin::fuzz::compare_input({reinterpret_cast<const char*>(data), size}, scratch.path());
  return 0;
}

// libFuzzer: any bytes are refused as a description of hardware, or are one.
#include <cstddef>
#include <cstdint>

#include "fuzz/support/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  burin::fuzz::config_input({reinterpret_cast<const char*>(data), size});
  return 0;
}

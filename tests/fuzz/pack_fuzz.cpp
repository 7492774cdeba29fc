// The reader of assembly and everything behind it: any text is read or refused; what is read is
// packed under a policy that its length chooses, and the packer's own checker must not complain (it
// would be an InternalError).
#include <cstdint>
#include <string>

#include "support/diagnostics.h"
#include "vliw/packer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace burin::vliw;
  static const Machine machine =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  if (size > 4096) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Module module = read_assembly(text, "fuzz.s", machine);
    PackOptions options;
    constexpr Policy kPolicies[] = {Policy::kSda, Policy::kList, Policy::kBest};
    options.policy = kPolicies[size % 3];
    pack(module, machine, options);
  } catch (const burin::Refused&) {
  }
  return 0;
}

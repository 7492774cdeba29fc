// Flags for trees of a description with AMX on whatever machine runs the tests.
#pragma once

#include <string>
#include <vector>

#include "support/machine_flags.h"

namespace burin {

// What this machine lacks is left to the plain arithmetic that stands in for it.
inline std::vector<std::string> amx_flags() {
  std::vector<std::string> out;
  const auto without = [&](const char* has, const std::vector<std::string>& flags) {
    if (!machine_has(has)) out.insert(out.end(), flags.begin(), flags.end());
  };
  without("amx_int8", {"-mno-amx-int8", "-mno-amx-bf16", "-mno-amx-tile"});
  without("avx512_bf16", {"-mno-avx512bf16"});
  // Vectors of 64 bytes leave functions that are inlined everywhere: no interface changes.
  without("avx512_vpopcntdq", {"-march=x86-64", "-mno-avx512f", "-mno-avx512vnni", "-Wno-psabi"});
  return out;
}

}  // namespace burin

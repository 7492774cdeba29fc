// What the processor that runs the tests has.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace burin {

// By the name that Linux has for it on x86: "amx_int8".
inline bool machine_has(const std::string& flag) {
  std::ifstream file("/proc/cpuinfo");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str().find(" " + flag + " ") != std::string::npos;
}

}  // namespace burin

// The built program under the limits that no input may exceed.
#pragma once

#include <string>
#include <vector>

namespace burin {

inline constexpr int kMostSeconds = 20;                   // of processor time
inline constexpr long kMostKilobytes = 2L * 1024 * 1024;  // resident

struct BoundedRun {
  int exit_code = -1;  // 128 + signal when one ended it
  double seconds = 0;
  long kilobytes = 0;
  std::string output;  // stderr, the first 64 KiB
};

// Runs `burin` with the arguments. Where the limit of time is reached, a signal ends it; that of
// memory holds for its address space, except under AddressSanitizer, which reserves terabytes.
BoundedRun run_bounded(std::vector<std::string> arguments);

// The run exits with `code`, within the limits, after at most one line of printable text.
void expect_bounded(const BoundedRun& run, int code, const std::string& what);

}  // namespace burin

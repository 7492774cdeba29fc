// BURIN_CHECK: an invariant of burin itself. A failure is our bug, never the user's: it becomes
// exit code 3. What a user can cause goes through refuse() in support/diagnostics.h instead.
#pragma once

#include <stdexcept>
#include <string>

namespace burin {

// A bug in burin: caught in main only.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               const std::string& detail = {});

}  // namespace burin

#define BURIN_CHECK(condition, ...)                                                         \
  do {                                                                                      \
    if (!(condition)) ::burin::check_failed(#condition, __FILE__, __LINE__, ##__VA_ARGS__); \
  } while (false)

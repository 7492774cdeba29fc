// The line of progress on a terminal, beside what else is printed there.
#include "cli/progress.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace burin::progress_test {
namespace {

// stderr as a terminal that the test reads.
class Terminal {
 public:
  Terminal() : kept_(dup(STDERR_FILENO)) {
    int inside = -1;
    EXPECT_EQ(openpty(&outside_, &inside, nullptr, nullptr, nullptr), 0);
    dup2(inside, STDERR_FILENO);
    close(inside);
  }
  ~Terminal() {
    restore();
    close(outside_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // All that came until `text` did.
  std::string until(const std::string& text) {
    while (seen_.find(text) == std::string::npos) {
      char bytes[256];
      const ssize_t count = read(outside_, bytes, sizeof bytes);
      if (count <= 0) break;
      seen_.append(bytes, static_cast<size_t>(count));
    }
    return seen_;
  }
  void restore() {
    if (kept_ < 0) return;
    std::fflush(stderr);
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    kept_ = -1;
  }

 private:
  int outside_ = -1, kept_;
  std::string seen_;
};

TEST(Progress, LeavesTheLineToWhatElseIsPrinted) {
  std::string seen;
  {
    Terminal terminal;
    Progress progress("net", std::chrono::milliseconds(1));
    EXPECT_NE(terminal.until("net ... 0 s").find("\r\033[Knet ... 0 s"), std::string::npos);
    progress.aside([] { std::fputs("a warning\n", stderr); });
    seen = terminal.until("a warning\r\n");
  }
  const size_t at = seen.find("a warning");
  ASSERT_NE(at, std::string::npos) << seen;
  EXPECT_EQ(seen.substr(at < 4 ? 0 : at - 4, 4), "\r\033[K") << seen;
}

}  // namespace
}  // namespace burin::progress_test

#include "errors/support/bounded_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#ifdef __SANITIZE_ADDRESS__
constexpr int kSlower = 4;  // what the sanitizers cost
#else
constexpr int kSlower = 1;
#endif

namespace burin {
namespace {

[[noreturn]] void become(const std::vector<char*>& arguments, int output) {
  const rlimit time{kSlower * kMostSeconds, kSlower * kMostSeconds};
  setrlimit(RLIMIT_CPU, &time);
  if (kSlower == 1) {
    const rlimit memory{kMostKilobytes * 1024, kMostKilobytes * 1024};
    setrlimit(RLIMIT_AS, &memory);
  }
  dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

BoundedRun run_bounded(std::vector<std::string> texts) {
  texts.insert(texts.begin(), BURIN_PROGRAM);
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  int ends[2];
  BoundedRun run;
  if (pipe2(ends, O_CLOEXEC) != 0) return run;
  const pid_t child = fork();
  if (child == 0) become(arguments, ends[1]);
  close(ends[1]);
  char piece[4096];
  for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0;) {
    const size_t room = (size_t{64} << 10) - run.output.size();
    run.output.append(piece, std::min(static_cast<size_t>(got), room));
  }
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  run.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  run.kilobytes = used.ru_maxrss;
  return run;
}

void expect_bounded(const BoundedRun& run, int code, const std::string& what) {
  EXPECT_EQ(run.exit_code, code) << what << ": " << run.output;
  EXPECT_LE(run.seconds, kSlower * kMostSeconds) << what;
  if (kSlower == 1) {
    EXPECT_LE(run.kilobytes, kMostKilobytes) << what;
  }
  // A refusal is one line; a tree also tells which sizes it serves, warns where these are few, and
  // ends with room, self-test and what comes next.
  const int lines = code == 0 ? 7 : 1;
  EXPECT_LE(std::count(run.output.begin(), run.output.end(), '\n'), lines) << what << run.output;
  for (const char c : run.output)
    EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << what << static_cast<int>(c);
}

}  // namespace burin

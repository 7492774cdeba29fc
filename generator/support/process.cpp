#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "support/diagnostics.h"
#include "support/interrupt.h"

extern char** environ;

namespace burin {
namespace {

constexpr size_t kMostOutput = 64 << 10;

// This program's environment with `changes` ("NAME=value").
std::vector<char*> environment(std::vector<std::string>& changes) {
  std::vector<char*> out;
  for (char** one = environ; *one != nullptr; ++one) {
    const bool changed =
        std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
          return std::strncmp(*one, change.c_str(), change.find('=') + 1) == 0;
        });
    if (!changed) out.push_back(*one);
  }
  for (std::string& change : changes) out.push_back(change.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, double seconds,
                          const std::string& temporary) {
  // Messages in plain ASCII: they go into one line of ours.
  std::vector<std::string> changes = {"LC_ALL=C"};
  if (!temporary.empty()) changes.push_back("TMPDIR=" + temporary);
  ProcessResult result;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) refuse("io", "cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  // A group of its own: whatever ends the child ends what the child has started too.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int started = start_child(child, [&](pid_t& pid) {
    return posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(),
                        environment(changes).data());
  });
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (started != 0) {
    close(pipe_ends[0]);
    result.exit_code = 127;
    result.started = false;
    result.output = std::strerror(started);
    return result;
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const double left =
        std::chrono::duration<double>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      break;
    }
    pollfd waiting{pipe_ends[0], POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(left * 1000) + 1) <= 0) continue;
    char buffer[4096];
    const ssize_t n = read(pipe_ends[0], buffer, sizeof buffer);
    if (n <= 0) break;
    result.output.append(buffer, static_cast<size_t>(n));
    if (result.output.size() > 2 * kMostOutput)
      result.output.erase(0, result.output.size() - kMostOutput);
  }
  close(pipe_ends[0]);
  const int status = wait_for_child(child);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

ScratchFolder::ScratchFolder() {
  path_ = make_folder((std::filesystem::temp_directory_path() / "burin-XXXXXX").string());
  if (path_.empty()) refuse("io", "cannot make a temporary folder");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  forget_folder(path_);
}

}  // namespace burin

#include "support/interrupt.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace burin {
namespace {

// A signal concerns the process, so what it leaves behind is registered for the process too.
struct Registered {
  std::mutex mutex;
  std::set<std::string> folders;
  std::set<pid_t> children;
};

Registered& registered() {
  static auto* all = new Registered;  // until the last thread is gone
  return *all;
}

// Ends this program by `signal` after its folders are gone. Its other threads go on writing there
// until they are stopped, and what has just been killed until it is dead. A new program image stops
// the threads and keeps the process, whose end others wait for.
[[noreturn]] void remove_and_end(int signal, const std::set<std::string>& folders) {
  static constexpr const char* kScript = R"sh(
signal=$1; shift; tries=0
until rm -rf -- "$@" 2> /dev/null || [ $tries = 50 ]; do tries=$((tries + 1)); sleep 0.1; done
kill "-$signal" $$
)sh";
  const std::string number = std::to_string(signal);
  std::vector<const char*> arguments = {"sh", "-c", kScript, "burin", number.c_str()};
  for (const std::string& folder : folders) arguments.push_back(folder.c_str());
  arguments.push_back(nullptr);
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  if (!folders.empty()) execv("/bin/sh", const_cast<char* const*>(arguments.data()));
  std::error_code ignored;  // there is no shell
  for (const std::string& folder : folders) std::filesystem::remove_all(folder, ignored);
  std::raise(signal);
  std::_Exit(128 + signal);
}

// A signal handler may neither allocate nor lock; a thread that waits may.
[[noreturn]] void wait_for(const sigset_t& signals) {
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {
  }
  const std::lock_guard lock(registered().mutex);  // kept: nothing is registered any more
  for (const pid_t child : registered().children) kill(-child, SIGKILL);
  remove_and_end(signal, registered().folders);
}

}  // namespace

void clean_up_on_interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] { wait_for(signals); }).detach();
}

std::string make_folder(std::string pattern) {
  const std::lock_guard lock(registered().mutex);
  if (!mkdtemp(pattern.data())) return {};
  registered().folders.insert(pattern);
  return pattern;
}

void forget_folder(const std::string& path) {
  const std::lock_guard lock(registered().mutex);
  registered().folders.erase(path);
}

int start_child(pid_t& child, const std::function<int(pid_t&)>& spawn) {
  const std::lock_guard lock(registered().mutex);
  const int error = spawn(child);
  if (error == 0) registered().children.insert(child);
  return error;
}

int wait_for_child(pid_t child) {
  // The id stays the child's until it is forgotten: only then it may become somebody else's.
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(registered().mutex);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  registered().children.erase(child);
  return status;
}

}  // namespace burin

#include "support/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

namespace burin {
namespace {

constexpr int kMostTries = 1000;

// A signal concerns the process, so its folders are the process's too.
std::mutex folders_mutex;
std::set<std::string>& folders() {
  static auto* all = new std::set<std::string>;  // until the last thread is gone
  return *all;
}

// Removing a folder allocates, which a signal handler may not do; a thread that waits may.
[[noreturn]] void wait_for(const sigset_t& signals) {
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {
  }
  const std::lock_guard lock(folders_mutex);  // kept: no folder is made any more
  for (const std::string& folder : folders()) {
    // The rest of the program may still be writing there.
    std::error_code ignored;
    for (int times = 0; times < kMostTries && std::filesystem::exists(folder, ignored); ++times)
      std::filesystem::remove_all(folder, ignored);
  }
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(signal);
  std::_Exit(128 + signal);
}

}  // namespace

void remove_folders_on_interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] { wait_for(signals); }).detach();
}

std::string make_folder(std::string pattern) {
  const std::lock_guard lock(folders_mutex);
  if (!mkdtemp(pattern.data())) return {};
  folders().insert(pattern);
  return pattern;
}

void forget_folder(const std::string& path) {
  const std::lock_guard lock(folders_mutex);
  folders().erase(path);
}

}  // namespace burin

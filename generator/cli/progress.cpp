#include "cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace burin {

struct Progress::State {
  std::mutex mutex;
  std::condition_variable ends;
  std::string what;
  bool ended = false;
  std::thread thread;

  void run() {
    const auto start = std::chrono::steady_clock::now();
    bool shown = false;
    std::unique_lock lock(mutex);
    while (!ends.wait_for(lock, std::chrono::seconds(1), [this] { return ended; })) {
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start)
              .count();
      std::fprintf(stderr, "\r\033[K%s ... %lld s", what.c_str(), static_cast<long long>(seconds));
      std::fflush(stderr);
      shown = true;
    }
    if (shown) std::fputs("\r\033[K", stderr);
  }
};

Progress::Progress(const std::string& what) {
  if (!isatty(STDERR_FILENO)) return;
  state_ = std::make_unique<State>();
  state_->what = what;
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Progress::~Progress() {
  if (!state_) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->ended = true;
  }
  state_->ends.notify_one();
  state_->thread.join();
}

void Progress::now(const std::string& what) {
  if (!state_) return;
  const std::lock_guard lock(state_->mutex);
  state_->what = what;
}

}  // namespace burin

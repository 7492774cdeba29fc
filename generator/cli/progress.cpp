#include "cli/progress.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace burin {

struct Progress::State {
  std::mutex mutex;
  std::condition_variable ends;
  std::string what;
  std::chrono::milliseconds period;
  bool ended = false, shown = false;
  std::thread thread;

  void remove_line() {
    if (shown) std::fputs("\r\033[K", stderr);
    shown = false;
  }

  void run() {
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex);
    while (!ends.wait_for(lock, period, [this] { return ended; })) {
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start)
              .count();
      std::fprintf(stderr, "\r\033[K%s ... %lld s", what.c_str(), static_cast<long long>(seconds));
      std::fflush(stderr);
      shown = true;
    }
    remove_line();
  }
};

Progress::Progress(const std::string& what, std::chrono::milliseconds period) {
  if (!isatty(STDERR_FILENO)) return;
  state_ = std::make_unique<State>();
  state_->what = what;
  state_->period = period;
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

void Progress::aside(const std::function<void()>& print) {
  if (!state_) return print();
  const std::lock_guard lock(state_->mutex);
  state_->remove_line();
  print();
}

}  // namespace burin

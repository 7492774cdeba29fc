// What burin is doing, on a terminal, once it takes longer than a second.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace burin {

// While an object lives, stderr shows "<what> ... 3 s" on one line that is overwritten and, in the
// end, removed. Nothing where stderr is no terminal.
class Progress {
 public:
  // `period`: from one look at the clock to the next.
  explicit Progress(const std::string& what,
                    std::chrono::milliseconds period = std::chrono::seconds(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void now(const std::string& what);  // from any thread
  // What else goes to the terminal meanwhile: on lines of its own, with the one above removed.
  void aside(const std::function<void()>& print);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace burin

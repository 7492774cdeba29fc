// What burin is doing, on a terminal, once it takes longer than a second.
#pragma once

#include <memory>
#include <string>

namespace burin {

// While an object lives, stderr shows "<what> ... 3 s" on one line that is overwritten and, in the
// end, removed. Nothing where stderr is no terminal.
class Progress {
 public:
  explicit Progress(const std::string& what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void now(const std::string& what);  // from any thread

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace burin

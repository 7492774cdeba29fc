// Sources that many test programs have in common, each compiled once: test_driver.cpp, and what a
// freestanding tree has of the runtime.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "support/process.h"

namespace burin {

class SharedObjects {
 public:
  // The object of `source` by `command`, a compiler and its flags; it lies as long as this does.
  // One that was made by the same command from the same text is taken, with all that it includes
  // but tree.h: that names the namespace of a tree's inline functions, which nothing refers to from
  // elsewhere. Throws ToolFailed. Threads may share this.
  std::string object(std::vector<std::string> command, const std::string& source, double seconds);

 private:
  ScratchFolder folder_;
  std::mutex lock_;
  std::map<std::vector<std::string>, std::string> objects_;  // by command and texts
};

}  // namespace burin

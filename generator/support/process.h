// Child processes: compilers and runners. Arguments go to the program as they are, never through a
// shell.
#pragma once

#include <string>
#include <vector>

namespace burin {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal when one ended it
  bool timed_out = false;
  bool started = true;  // false: exit_code is 127, output says why not
  std::string output;   // stdout and stderr together, the last 64 KiB
};

// Runs `command` (program and arguments) and waits, at most `seconds`. The child's own temporary
// files go into `temporary`, or where this program's go.
ProcessResult run_process(const std::vector<std::string>& command, double seconds,
                          const std::string& temporary = {});

// A folder of its own in the system's temporary folder, removed with its contents.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace burin

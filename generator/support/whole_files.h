// Files that are written as a whole or not at all, whatever fails or ends the program meanwhile.
#pragma once

#include <string>
#include <vector>

namespace burin {

// Refuses, long before, what WholeFiles will not be able to write. Makes nothing and leaves
// nothing, whatever ends the program meanwhile.
void check_writable(const std::string& path);

// The files of one run: all whole or none. Each is written beside its place and renamed when all
// are. What is there and no plain file (a device, a pipe) is written to; a link is followed.
// Refused, with the file's path: what cannot be written.
class WholeFiles {
 public:
  WholeFiles() = default;
  WholeFiles(const WholeFiles&) = delete;
  WholeFiles& operator=(const WholeFiles&) = delete;
  ~WholeFiles();  // what was not placed is gone

  void add(const std::string& path, std::string text);
  void place();

 private:
  struct File {
    std::string path, target, part, text;  // text: of what is written to when all are placed
    bool direct = false, placed = false;
  };
  std::vector<File> files_;
};

}  // namespace burin

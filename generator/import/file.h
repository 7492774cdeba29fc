// Files that import reads: mapped into memory, never written, regular files only.
//
// External data is opened beneath one folder, without following any link (openat2 with
// RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and RESOLVE_NO_MAGICLINKS; component by component with
// O_NOFOLLOW where the kernel has no openat2), and a file with several hard links is refused,
// because one of them may lie elsewhere.
#pragma once

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "import/budget.h"

namespace burin {

// The bytes of a file, or a copy of bytes at hand. A file that another program truncates while it
// is mapped ends the process, as for every mapping; check_unchanged() tells any other change.
class FileBytes {
 public:
  explicit FileBytes(std::string bytes);
  FileBytes(int descriptor, int64_t limit);  // takes the descriptor; refuses as io or limit
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::string_view bytes() const { return bytes_; }
  const struct stat& status() const { return status_; }
  void check_unchanged() const;  // since it was opened; refuses as io

 private:
  std::string copy_;
  std::string_view bytes_;
  int descriptor_ = -1;
  struct stat status_ {};
};

std::shared_ptr<const FileBytes> map_file(const std::string& path, int64_t limit);

// The files of external data of one model, each mapped once.
class ExternalFiles {
 public:
  // `root` empty: there is no folder, every use is refused.
  // `links_root`: links may lead to what lies beneath it; empty: nothing behind a link is opened.
  ExternalFiles(std::string root, Budget& budget, std::string links_root = {});
  ~ExternalFiles();
  ExternalFiles(const ExternalFiles&) = delete;
  ExternalFiles& operator=(const ExternalFiles&) = delete;

  std::shared_ptr<const FileBytes> open(std::string_view location);  // refuses as external-data
  void check_unchanged() const;

 private:
  int open_beneath(const std::string& location);
  int open_linked(const std::string& location);
  std::string root_, links_root_;
  Budget& budget_;
  int folder_ = -1;
  std::map<std::string, std::shared_ptr<const FileBytes>, std::less<>> files_;
};

}  // namespace burin

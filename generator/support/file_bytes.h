// The bytes of a file that a user names, read once: whoever also needs their hash or a copy takes
// these bytes, and does not read the file again.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace burin {

inline constexpr size_t kMostFileBytes = size_t{1} << 30;

// Refuses (rule "cannot-read", or `rule` beyond `most` bytes) what is no regular file or cannot be
// read to its end. A FIFO is refused, not waited for. The caller says which file it is.
std::string read_file(const std::string& path, size_t most = kMostFileBytes,
                      std::string_view rule = "limit");
// The same in pieces, however long.
void read_file(const std::string& path, const std::function<void(std::string_view)>& take);

// The files of one command line: who asks for one again gets what the first one got.
class ReadFiles {
 public:
  const std::string& bytes(const std::string& path, size_t most = kMostFileBytes,
                           std::string_view rule = "limit");
  // What `make` gives for a name that is no path.
  const std::string& made(const std::string& name, const std::function<std::string()>& make);

 private:
  std::map<std::string, std::string> files_, made_;
};

}  // namespace burin

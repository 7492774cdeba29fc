#include "support/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "support/diagnostics.h"

namespace burin {
namespace {

struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int number;
};

[[noreturn]] void cannot_read(const std::string& why) {
  refuse("cannot-read", "the file cannot be read: " + why);
}

}  // namespace

void read_file(const std::string& path, const std::function<void(std::string_view)>& take) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (file.number < 0) cannot_read(std::strerror(errno));
  struct stat status {};
  if (fstat(file.number, &status) != 0) cannot_read(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) cannot_read("it is not a regular file");
  char block[65536];
  for (;;) {
    const ssize_t got = read(file.number, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(std::strerror(errno));
    if (got == 0) return;
    take({block, static_cast<size_t>(got)});
  }
}

std::string read_file(const std::string& path, size_t most, std::string_view rule) {
  std::string bytes;
  read_file(path, [&](std::string_view piece) {
    if (bytes.size() + piece.size() > most)
      refuse(rule, "the file is larger than " + std::to_string(most) + " bytes");
    bytes += piece;
  });
  return bytes;
}

const std::string& ReadFiles::bytes(const std::string& path, size_t most, std::string_view rule) {
  const auto known = files_.find(path);
  if (known != files_.end()) return known->second;
  return files_.emplace(path, located({.file = path}, [&] { return read_file(path, most, rule); }))
      .first->second;
}

const std::string& ReadFiles::made(const std::string& name,
                                   const std::function<std::string()>& make) {
  const auto known = made_.find(name);
  return known != made_.end() ? known->second : made_.emplace(name, make()).first->second;
}

}  // namespace burin

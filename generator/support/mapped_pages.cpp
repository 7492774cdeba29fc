#include "support/mapped_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace burin {
namespace {

constexpr std::size_t kLeastBytes = 256 * 1024;

// A file without a name: it is gone when its last mapping is.
int open_nameless() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return -1;
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  // File systems without such files, as some layered ones.
  std::string name = (folder / "burin-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::shared_ptr<const void> move_to_disk(std::span<const std::byte> bytes) {
  if (bytes.size() < kLeastBytes) return nullptr;
  const int file = open_nameless();
  if (file < 0) return nullptr;
  void* start = MAP_FAILED;
  if (write_all(file, bytes)) start = ::mmap(nullptr, bytes.size(), PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  if (start == MAP_FAILED) return nullptr;
  const std::size_t length = bytes.size();
  return {static_cast<const void*>(start), MappedPages{[=] { ::munmap(start, length); }}};
}

void forget_pages(const void* data, std::size_t bytes, const std::shared_ptr<const void>& owner) {
  if (std::get_deleter<MappedPages>(owner) == nullptr) return;
  // Pages that hold something else too are dropped as well: reading brings everything back.
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(data) / page * page;
  const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(data) + bytes;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace burin

#include "import/file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "import/other_formats.h"
#include "support/diagnostics.h"
#include "support/mapped_pages.h"

namespace burin {
namespace {

// O_NONBLOCK: a FIFO must be refused, not waited for.
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

// Opens one component after the other; for kernels without openat2.
int open_by_components(int folder, const std::string& location) {
  int at = dup(folder);
  size_t start = 0;
  while (at >= 0) {
    const size_t slash = location.find('/', start);
    const bool last = slash == std::string::npos;
    const std::string part = location.substr(start, last ? std::string::npos : slash - start);
    const int flags = O_NOFOLLOW | (last ? kReadFlags : O_PATH | O_DIRECTORY | O_CLOEXEC);
    const int next = openat(at, part.c_str(), flags);
    const int error = errno;
    close(at);
    errno = error;
    if (last || next < 0) return next;
    at = next;
    start = slash + 1;
  }
  return at;
}

std::shared_ptr<const FileBytes> map_bytes(int descriptor, int64_t limit) {
  const auto* file = new FileBytes(descriptor, limit);
  return {file, MappedPages{[file] { delete file; }}};
}

// A relative path of plain names: no "..", no empty or "." part, nothing that another system would
// take for a root.
void check_location(std::string_view location) {
  const auto bad = [&](const char* why) {
    refuse("external-data", "location " + quoted(location) + " " + why,
           "external data lies in the model's folder, named by a relative path with '/'");
  };
  if (location.empty()) bad("is empty");
  if (location.size() > 4096) bad("is too long");
  if (location.find('\0') != location.npos) bad("contains a zero byte");
  if (location.find('\\') != location.npos) bad("contains a backslash");
  if (location[0] == '/') bad("is an absolute path");
  if (location.size() > 1 && location[1] == ':') bad("starts with a drive letter");
  for (size_t start = 0; start <= location.size();) {
    const size_t slash = std::min(location.find('/', start), location.size());
    const std::string_view part = location.substr(start, slash - start);
    if (part == "..") bad("leaves the model's folder");
    if (part.empty() || part == ".") bad("has an empty part");
    start = slash + 1;
  }
}

// What a descriptor is open on, as the system names it; empty where it does not.
std::string path_of(int descriptor) {
  std::string path(4096, '\0');
  const std::string entry = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = readlink(entry.c_str(), path.data(), path.size());
  if (size <= 0 || static_cast<size_t>(size) == path.size()) return {};
  path.resize(static_cast<size_t>(size));
  return path;
}

// What a folder holds, sorted; nothing of one that may not be listed.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> held;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed))
    held.push_back(at->path().filename());
  std::sort(held.begin(), held.end());
  return held;
}

// Whether one path is another or lies beneath it; both without links.
bool is_beneath(const std::string& path, const std::string& folder) {
  if (path.empty() || folder.empty()) return false;
  return path == folder || folder == "/" ||
         (path.starts_with(folder) && path[folder.size()] == '/');
}

}  // namespace

FileBytes::FileBytes(std::string bytes) : copy_(std::move(bytes)), bytes_(copy_) {}

FileBytes::FileBytes(int descriptor, int64_t limit) : descriptor_(descriptor) {
  const auto fail = [&](std::string_view rule, const std::string& why) {
    close(descriptor_);
    refuse(rule, why);
  };
  if (fstat(descriptor_, &status_) != 0) fail("io", std::strerror(errno));
  if (S_ISDIR(status_.st_mode)) fail("io", "it is a folder");
  if (!S_ISREG(status_.st_mode)) fail("io", "it is not a regular file");
  if (status_.st_size > limit) {
    fail("limit", "it has " + std::to_string(status_.st_size) + " bytes; the limit is " +
                      std::to_string(limit));
  }
  if (status_.st_size == 0) return;
  const auto size = static_cast<size_t>(status_.st_size);
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (memory == MAP_FAILED) fail("io", std::strerror(errno));
  bytes_ = {static_cast<const char*>(memory), size};
}

FileBytes::~FileBytes() {
  if (descriptor_ < 0) return;
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  close(descriptor_);
}

void FileBytes::check_unchanged() const {
  if (descriptor_ < 0) return;
  struct stat now {};
  if (fstat(descriptor_, &now) != 0) refuse("io", std::strerror(errno));
  const bool same = now.st_size == status_.st_size &&
                    now.st_mtim.tv_sec == status_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec;
  if (!same) refuse("io", "the file changed while it was read");
}

std::shared_ptr<const FileBytes> map_file(const std::string& path, int64_t limit) {
  const int descriptor = open(path.c_str(), kReadFlags);
  if (descriptor < 0) refuse("io", std::string("cannot be read: ") + std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    refuse_folder(names_in(path));
  }
  return map_bytes(descriptor, limit);
}

ExternalFiles::ExternalFiles(std::string root, Budget& budget, std::string links_root)
    : root_(std::move(root)), links_root_(std::move(links_root)), budget_(budget) {}

ExternalFiles::~ExternalFiles() {
  if (folder_ >= 0) close(folder_);
}

int ExternalFiles::open_beneath(const std::string& location) {
  struct open_how how {};
  how.flags = static_cast<uint64_t>(kReadFlags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long found = syscall(SYS_openat2, folder_, location.c_str(), &how, sizeof how);
  if (found < 0 && (errno == ENOSYS || errno == EPERM))
    return open_by_components(folder_, location);
  return static_cast<int>(found);
}

// Links are followed by the system, and where they led is looked at before anything is read: the
// descriptor that is asked where it is can be exchanged by nobody.
int ExternalFiles::open_linked(const std::string& location) {
  const int root = ::open(links_root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) {
    refuse("external-data", "--allow-links names no folder that can be opened: " +
                                quoted(links_root_) + ": " + std::strerror(errno));
  }
  const std::string around = path_of(root);
  close(root);
  const int place = openat(folder_, location.c_str(), O_PATH | O_CLOEXEC);
  if (place < 0) return place;
  struct stat status {};
  const bool fits = is_beneath(path_of(place), around) && fstat(place, &status) == 0;
  if (!fits) {
    close(place);
    refuse("external-data",
           "file " + quoted(location) + " leads outside of the folder of --allow-links",
           "name the folder that has all files of the cache");
  }
  const int descriptor = ::open(("/proc/self/fd/" + std::to_string(place)).c_str(), kReadFlags);
  const int error = errno;
  close(place);
  errno = error;
  return descriptor;
}

std::shared_ptr<const FileBytes> ExternalFiles::open(std::string_view location) {
  if (root_.empty()) refuse("external-data", "the model has external data, but no folder is given");
  check_location(location);
  if (const auto found = files_.find(location); found != files_.end()) return found->second;
  const auto fail = [&](const std::string& why, std::string hint = {}) {
    refuse("external-data", "file " + quoted(location) + " " + why, std::move(hint));
  };
  if (static_cast<int>(files_.size()) >= budget_.limits().external_files) {
    fail("is one too many; the limit is " + std::to_string(budget_.limits().external_files));
  }
  if (folder_ < 0) folder_ = ::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) fail("has no folder: " + quoted(root_) + ": " + std::strerror(errno));
  const int descriptor = links_root_.empty() ? open_beneath(std::string(location))
                                             : open_linked(std::string(location));
  if (descriptor < 0) {
    const bool link = errno == ELOOP || errno == EXDEV;
    fail(link ? "is or lies behind a symbolic link"
              : std::string("cannot be read: ") + std::strerror(errno),
         link ? "copy the file into the model's folder, or name the folder of the cache with "
                "--allow-links"
              : "");
  }
  std::shared_ptr<const FileBytes> file;
  try {
    file = map_bytes(descriptor, budget_.limits().external_bytes);
  } catch (const Refused& refused) {
    fail("cannot be used: " + refused.diagnostics[0].message);
  }
  if (file->status().st_nlink != 1 && links_root_.empty()) {
    fail("has several hard links",
         "copy the file into the model's folder, or name the folder of the cache with "
         "--allow-links");
  }
  budget_.add_file(file->status().st_size);
  files_.emplace(location, file);
  return file;
}

void ExternalFiles::check_unchanged() const {
  for (const auto& [location, file] : files_) file->check_unchanged();
}

}  // namespace burin

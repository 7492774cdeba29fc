#include "support/whole_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kTries = 100;
constexpr const char* kCannot = "the file cannot be written";

void refuse_writing(const std::string& path, const std::string& why) {
  located({path, "", "", "", ""}, [&] { refuse("cannot-write", why); });
}

bool written(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

}  // namespace

void check_writable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (fs::is_directory(status)) refuse_writing(path, "this is a folder");
  const bool there = fs::exists(status);
  if (there && access(path.c_str(), W_OK) != 0) refuse_writing(path, kCannot);
  if (there && !fs::is_regular_file(status)) return;
  const fs::path target = there ? fs::canonical(path, failed) : fs::absolute(path, failed);
  if (failed || access(target.lexically_normal().parent_path().c_str(), W_OK | X_OK) != 0)
    refuse_writing(path, kCannot);
}

WholeFiles::~WholeFiles() {
  for (const File& file : files_) {
    if (!file.direct && !file.placed) std::remove(file.part.c_str());
  }
}

void WholeFiles::add(const std::string& path, std::string text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  File file;
  file.path = path;
  file.direct = fs::exists(status) && !fs::is_regular_file(status);
  file.target = fs::exists(status) ? fs::canonical(path, ignored).string()
                                   : fs::absolute(path, ignored).lexically_normal().string();
  for (const File& other : files_) {
    if (!file.direct && other.target == file.target)
      refuse_writing(path, "two outputs have this name");
  }
  if (file.direct) {
    file.text = std::move(text);
    files_.push_back(std::move(file));
    return;
  }
  std::FILE* part = nullptr;
  for (int k = 0; part == nullptr && k < kTries; ++k) {  // a name that nobody has
    file.part = file.target + ".part" + (k == 0 ? "" : std::to_string(k));
    part = std::fopen(file.part.c_str(), "wbx");
    if (part == nullptr && errno != EEXIST) break;
  }
  if (part == nullptr) refuse_writing(path, kCannot);
  files_.push_back(file);
  const bool whole = std::fwrite(text.data(), 1, text.size(), part) == text.size();
  if (std::fclose(part) != 0 || !whole) refuse_writing(path, kCannot);
}

void WholeFiles::place() {
  for (File& file : files_) {
    if (file.direct && !written(file.path, file.text)) refuse_writing(file.path, kCannot);
  }
  for (File& file : files_) {
    if (file.direct) continue;
    if (std::rename(file.part.c_str(), file.target.c_str()) != 0)
      refuse_writing(file.path, kCannot);
    file.placed = true;
  }
}

}  // namespace burin

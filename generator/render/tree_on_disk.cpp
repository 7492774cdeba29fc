#include "render/tree_on_disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "hardware/json_file.h"
#include "support/diagnostics.h"

namespace burin {

namespace fs = std::filesystem;

void cannot_write(const fs::path& path, const std::string& why) {
  refuse("cannot-write", burin::quoted(path.string()) + " cannot be written: " + why);
}

fs::file_status status_of(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::none)
    refuse("cannot-read",
           burin::quoted(path.string()) + " cannot be looked at: " + error.message());
  return status;
}

void make_folders(const fs::path& path, const fs::path& told) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) cannot_write(told, error.message());
}

void make_folders(const fs::path& path) { make_folders(path, path); }

void move_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) cannot_write(to, std::strerror(errno));
}

void write_file(const fs::path& path, const ByteSource& source) {
  std::FILE* const file = std::fopen(path.c_str(), "wbx");
  if (file == nullptr) cannot_write(path, std::strerror(errno));
  int error = 0;
  try {
    source([&](std::string_view bytes) {
      if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
        cannot_write(path, std::strerror(errno));
    });
  } catch (...) {
    std::fclose(file);
    throw;
  }
  // Some file systems say only at the end that there was no room.
  if (std::fclose(file) != 0) error = errno;
  if (error != 0) cannot_write(path, std::strerror(error));
}

bool is_tree_path(std::string_view path) {
  if (path.empty() || path.size() > 240) return false;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == ".." || part.starts_with(".burin-")) return false;
    for (const char c : part) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
      if (!plain) return false;
    }
    if (end + 1 == path.size()) return false;  // a closing '/'
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

std::set<std::string> files_on_disk(const std::string& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return {};
  if (status.type() == fs::file_type::none)
    refuse("cannot-read", burin::quoted(folder) + " cannot be looked at: " + error.message());
  if (!fs::is_directory(status)) {
    refuse("not-our-folder", burin::quoted(folder) + " is not a folder", "name another place");
  }
  bool has_content = false;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    has_content = has_content || at->path().filename() != kStagingName;
  }
  if (error) refuse("cannot-read", "folder " + burin::quoted(folder) + ": " + error.message());
  const fs::path manifest = fs::path(folder) / kManifestName;
  if (!fs::is_regular_file(status_of(manifest))) {
    if (!has_content) return {};
    refuse("not-our-folder",
           "folder " + burin::quoted(folder) + " is not empty and has no manifest.json",
           "name a folder that is new, empty or made by burin");
  }
  std::set<std::string> paths = {std::string(kManifestName)};
  const JsonDocument document = read_json_file(manifest.string());
  const JsonValue files = document.root().at("files");
  for (size_t i = 0; i < files.size(); ++i) {
    const JsonValue path = files[i].at("path");
    if (!is_tree_path(path.as_string())) {
      path.refuse("not-our-file",
                  burin::quoted(path.as_string()) + " is not a path that a tree has");
    }
    paths.insert(path.as_string());
  }
  return paths;
}

void check_parents(const std::string& folder, std::string_view path) {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const fs::path parent = fs::path(folder) / path.substr(0, slash);
    const fs::file_status status = status_of(parent);
    if (fs::exists(status) && !fs::is_directory(status)) {
      refuse("not-our-file", burin::quoted(parent.string()) + " is in the way: it is not a folder");
    }
  }
}

bool is_python_cache(std::string_view path) {
  return path.starts_with("bindings/python/__pycache__/");
}

namespace {

// Of Gradle, and of cargo in the folder of each crate.
bool is_left_by_tools(std::string_view path) {
  for (const std::string_view folder : {"android/build/", "android/.cxx/", "android/.gradle/"}) {
    if (path.starts_with(folder)) return true;
  }
  constexpr std::string_view kCrates = "bindings/rust/";
  if (!path.starts_with(kCrates)) return false;
  const size_t slash = path.find('/', kCrates.size());
  if (slash == path.npos) return false;
  const std::string_view in_crate = path.substr(slash + 1);
  return in_crate == "Cargo.lock" || in_crate.starts_with("target/");
}

}  // namespace

std::set<std::string> unlisted_files(const std::string& folder,
                                     const std::set<std::string>& listed) {
  std::set<std::string> owned;
  for (const std::string& path : listed) {
    if (const size_t slash = path.find('/'); slash != path.npos)
      owned.insert(path.substr(0, slash));
  }
  std::set<std::string> out;
  for (const std::string& name : owned) {
    const fs::path top = fs::path(folder) / name;
    if (!fs::is_directory(status_of(top))) continue;
    std::error_code error;
    for (fs::recursive_directory_iterator at(top, error), end; !error && at != end;
         at.increment(error)) {
      if (at->is_directory(error) && !at->is_symlink(error)) continue;
      const std::string path = at->path().lexically_relative(folder).string();
      if (!listed.contains(path) && !is_left_by_tools(path)) out.insert(path);
    }
    if (error)
      refuse("cannot-read", "folder " + burin::quoted(top.string()) + ": " + error.message());
  }
  return out;
}

}  // namespace burin

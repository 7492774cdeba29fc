#include "render/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "hardware/json_file.h"
#include "render/tree_on_disk.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

std::string folded(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

// SHA-256 of a file; empty when there is no regular file of that name.
std::string hash_on_disk(const fs::path& path) {
  if (!fs::is_regular_file(fs::symlink_status(path))) return "";
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  char block[65536];
  while (file.read(block, sizeof block), file.gcount() > 0) {
    hash.update({block, static_cast<size_t>(file.gcount())});
  }
  return hash.hex();
}

}  // namespace

void SourceTree::insert(std::string_view path, Entry entry) {
  BURIN_CHECK(is_tree_path(path) && path != kManifestName, burin::quoted(path));
  BURIN_CHECK(folded_.emplace(folded(path), path).second, burin::quoted(path));
  entries_.emplace(path, std::move(entry));
}

void SourceTree::add(std::string_view path, const Code& text, std::string_view role) {
  insert(path, {text.text(), {}, std::string(role)});
}
void SourceTree::add_data(std::string_view path, std::string bytes, std::string_view role) {
  insert(path, {std::move(bytes), {}, std::string(role)});
}
void SourceTree::prepend(const std::string& path, const Code& text) {
  Entry& entry = entries_.at(path);
  BURIN_CHECK(entry.stream == nullptr, burin::quoted(path));
  entry.bytes.insert(0, text.text());
}
void SourceTree::add_stream(std::string_view path, ByteSource source, std::string_view role) {
  BURIN_CHECK(source != nullptr);
  insert(path, {"", std::move(source), std::string(role)});
}

std::string to_string(const TreeChange& change) {
  const char* verb = change.kind == TreeChange::Kind::kAdded      ? "added "
                     : change.kind == TreeChange::Kind::kChanged  ? "changed "
                     : change.kind == TreeChange::Kind::kUnlisted ? "unlisted "
                                                                  : "removed ";
  return verb + change.path;
}

bool is_tree_path(std::string_view path) {
  if (path.empty() || path.size() > 240) return false;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == ".." || part == kStagingName) return false;
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

void send_bytes(const SourceTree::Entry& entry, const ByteSink& sink) {
  if (entry.stream) {
    entry.stream(sink);
  } else {
    sink(entry.bytes);
  }
}

std::set<std::string> files_on_disk(const std::string& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) {
    refuse("not-our-folder", burin::quoted(folder) + " is not a folder", "name another place");
  }
  bool has_content = false;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    has_content = has_content || at->path().filename() != kStagingName;
  }
  if (error) refuse("cannot-read", "folder " + burin::quoted(folder) + ": " + error.message());
  const fs::path manifest = fs::path(folder) / kManifestName;
  if (!fs::is_regular_file(fs::symlink_status(manifest))) {
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
    const fs::file_status status = fs::symlink_status(parent);
    if (fs::exists(status) && !fs::is_directory(status)) {
      refuse("not-our-file", burin::quoted(parent.string()) + " is in the way: it is not a folder");
    }
  }
}

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
    if (!fs::is_directory(fs::symlink_status(top))) continue;
    std::error_code error;
    for (fs::recursive_directory_iterator at(top, error), end; !error && at != end;
         at.increment(error)) {
      if (at->is_directory(error) && !at->is_symlink(error)) continue;
      const std::string path = at->path().lexically_relative(folder).string();
      if (!listed.contains(path)) out.insert(path);
    }
    if (error)
      refuse("cannot-read", "folder " + burin::quoted(top.string()) + ": " + error.message());
  }
  return out;
}

std::vector<TreeChange> check_tree(const SourceTree& tree, const std::string& folder,
                                   const ManifestWriter& manifest) {
  std::set<std::string> old_files = files_on_disk(folder);
  std::set<std::string> listed = old_files;
  for (const auto& [path, entry] : tree.entries()) listed.insert(path);
  std::vector<TreeFile> files;
  std::map<std::string, TreeChange> changes;
  for (const std::string& path : unlisted_files(folder, listed))
    changes[path] = {TreeChange::Kind::kUnlisted, path};
  const auto compare = [&](const std::string& path, const std::string& hash) {
    check_parents(folder, path);
    const fs::path place = fs::path(folder) / path;
    const bool there = fs::exists(fs::symlink_status(place));
    if (!there) changes[path] = {TreeChange::Kind::kAdded, path};
    if (there && hash_on_disk(place) != hash) changes[path] = {TreeChange::Kind::kChanged, path};
    old_files.erase(path);
  };
  for (const auto& [path, entry] : tree.entries()) {
    Sha256 hash;
    TreeFile file{path, entry.role, "", 0};
    send_bytes(entry, [&](std::string_view bytes) {
      hash.update(bytes);
      file.bytes += bytes.size();
    });
    file.sha256 = hash.hex();
    compare(path, file.sha256);
    files.push_back(std::move(file));
  }
  compare(std::string(kManifestName), sha256_hex(manifest(files)));
  for (const std::string& path : old_files) changes[path] = {TreeChange::Kind::kRemoved, path};
  std::vector<TreeChange> out;
  for (auto& [path, change] : changes) out.push_back(std::move(change));
  return out;
}

}  // namespace burin

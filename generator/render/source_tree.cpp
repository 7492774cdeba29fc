#include "render/source_tree.h"

#include <algorithm>
#include <filesystem>

#include "render/tree_on_disk.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/file_bytes.h"
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
  if (!fs::is_regular_file(status_of(path))) return "";
  Sha256 hash;
  located({.file = path.string()},
          [&] { read_file(path.string(), [&](std::string_view bytes) { hash.update(bytes); }); });
  return hash.hex();
}

}  // namespace

void SourceTree::insert(std::string_view path, Entry entry) {
  BURIN_CHECK(is_tree_path(path) && path != kManifestName && path != kHashesName,
              burin::quoted(path));
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

void send_bytes(const SourceTree::Entry& entry, const ByteSink& sink) {
  if (entry.stream) {
    entry.stream(sink);
  } else {
    sink(entry.bytes);
  }
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
    const bool there = fs::exists(status_of(place));
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
  const TreeLists lists = manifest(files);
  compare(std::string(kManifestName), sha256_hex(lists.manifest));
  if (!lists.hashes.empty()) compare(std::string(kHashesName), sha256_hex(lists.hashes));
  for (const std::string& path : old_files) changes[path] = {TreeChange::Kind::kRemoved, path};
  std::vector<TreeChange> out;
  for (auto& [path, change] : changes) out.push_back(std::move(change));
  return out;
}

}  // namespace burin

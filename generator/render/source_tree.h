// A source tree in memory (path -> bytes), and how it meets the disk: written beside its place and
// swapped in, or compared with what is there (--check).
//
// What write_tree promises:
// - Until every byte of the new tree is on the disk, nothing of the old one changes. A full disk,
// or a stream
//   that refuses, leaves the old tree as it was.
// - A tree in a new folder appears by one rename. In a folder that has one already, files are
// renamed into place
//   one by one, manifest.json last; what fails or is killed in between is undone (tree_swap.h).
// - Files whose bytes are the same keep their time stamps, so that a build does no work for them.
// - Only files that the old manifest.json lists are ever overwritten or removed. A folder that has
// something in
//   it and no manifest is refused. Nothing outside the folder is touched, through links or
//   otherwise.
// - A tree owns the folders that its files are in (src/, include/ ..., not its own top): a file
// there that no
//   manifest lists could be compiled with the others, so it is refused and stays as it is.
//   Beside them, at the top, anything may lie.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "render/text.h"

namespace burin {

// Takes bytes in pieces; a ByteSource gives all bytes of a file to one, and the same ones each
// time.
using ByteSink = std::function<void(std::string_view)>;
using ByteSource = std::function<void(const ByteSink&)>;

class SourceTree {
 public:
  struct Entry {
    std::string bytes;
    ByteSource stream;  // in place of bytes, where it is set
    std::string role;
  };

  // Paths are relative, of letters, digits, '.', '_', '-' and '/', and differ from each other in
  // more than case; anything else is a bug (BURIN_CHECK), and so are the lists of files. The role
  // is for the manifest: "source", "header" ...
  void add(std::string_view path, const Code& text, std::string_view role);
  // Data that is no source text: JSON, sample vectors.
  void add_data(std::string_view path, std::string bytes, std::string_view role);
  // In front of a text that was added.
  void prepend(const std::string& path, const Code& text);
  // Large files: the source runs once for each write_tree or check_tree.
  void add_stream(std::string_view path, ByteSource source, std::string_view role);

  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  void insert(std::string_view path, Entry entry);

  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> folded_;  // path in lower case -> path
};

// One file as the manifest lists it.
struct TreeFile {
  std::string path;
  std::string role;
  std::string sha256;
  uint64_t bytes = 0;

  bool operator==(const TreeFile&) const = default;
};

// The tree's files about its files: manifest.json, which must hold "files": [{"path": ...}, ...]
// with all others, and files.sha256, as sha256sum has it; no text: there is none.
struct TreeLists {
  TreeLists(std::string manifest_text, std::string hashes_text = {})
      : manifest(std::move(manifest_text)), hashes(std::move(hashes_text)) {}
  std::string manifest, hashes;
};
inline constexpr std::string_view kManifestName = "manifest.json", kHashesName = "files.sha256";

// The texts for these files, which are sorted by path.
using ManifestWriter = std::function<TreeLists(const std::vector<TreeFile>&)>;

struct TreeChange {
  // kUnlisted: of check_tree alone, a file that is not of the tree in a folder that it owns.
  enum class Kind { kAdded, kChanged, kRemoved, kUnlisted };
  Kind kind = Kind::kAdded;
  std::string path;

  bool operator==(const TreeChange&) const = default;
};

// "added src/a.cpp"
std::string to_string(const TreeChange& change);

// Both return the changes, sorted by path, manifest.json among them; none when the tree on disk is
// this one. Refused: not-our-folder, not-our-file, cannot-write, cannot-read, malformed manifests.
std::vector<TreeChange> write_tree(const SourceTree& tree, const std::string& folder,
                                   const ManifestWriter& manifest);
std::vector<TreeChange> check_tree(const SourceTree& tree, const std::string& folder,
                                   const ManifestWriter& manifest);

}  // namespace burin

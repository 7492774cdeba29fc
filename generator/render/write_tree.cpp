// Writing in four steps: stage everything in a folder of its own on the same disk; look for
// anything in the way; rename what differs into place; remove what only the old manifest lists.
//
// Renaming many files cannot be one step of the file system. A run that is killed between them
// leaves new files that the old manifest does not list, and the next run would take them for the
// user's. So the first file to be renamed is a manifest that lists old and new files together, and
// the last is the real one.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "render/source_tree.h"
#include "render/tree_on_disk.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  refuse("cannot-write", burin::quoted(path.string()) + " cannot be written: " + why);
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

// The staging folder: made, locked against other runs, and gone at the end whatever happens. One
// that a killed run left behind is emptied first.
class Staging {
 public:
  Staging(fs::path path, const fs::path& folder) : path_(std::move(path)) {
    // What cannot be made here is the user's folder, whatever it is called on the way.
    make_folders(path_.parent_path().empty() ? fs::path(".") : path_.parent_path(), folder);
    const bool fresh = ::mkdir(path_.c_str(), 0777) == 0;
    if (!fresh && errno != EEXIST) cannot_write(folder, std::strerror(errno));
    lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock_ < 0) cannot_write(path_, std::strerror(errno));
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      ::close(lock_);
      cannot_write(path_, "another run of burin is writing there");
    }
    std::error_code error;
    if (!fresh && !fs::is_empty(path_, error) && !fs::is_regular_file(marker(), error)) {
      ::close(lock_);
      cannot_write(path_, "it is there already and no other run of burin made it");
    }
    for (const auto& entry : fs::directory_iterator(path_, error))
      fs::remove_all(entry.path(), error);
    std::ofstream(marker()) << "burin writes a tree here\n";
  }
  ~Staging() {
    std::error_code error;
    if (!moved_) fs::remove_all(path_, error);
    ::close(lock_);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const fs::path& path() const { return path_; }

  // The staging folder itself becomes `folder`.
  void become(const fs::path& folder) {
    std::error_code error;
    fs::remove(marker(), error);
    move_file(path_, folder);
    moved_ = true;
  }

 private:
  fs::path marker() const { return path_ / ".burin-staging"; }

  fs::path path_;
  int lock_ = -1;
  bool moved_ = false;
};

// Writes one new file, hashing on the way.
TreeFile stage_file(const fs::path& staging, const std::string& path,
                    const SourceTree::Entry& entry) {
  const fs::path place = staging / path;
  make_folders(place.parent_path());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(place.c_str(), "wbx"),
                                                             std::fclose);
  if (file == nullptr) cannot_write(place, std::strerror(errno));
  TreeFile out{path, entry.role, "", 0};
  Sha256 hash;
  send_bytes(entry, [&](std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
      cannot_write(place, std::strerror(errno));
    }
    hash.update(bytes);
    out.bytes += bytes.size();
  });
  if (std::fflush(file.get()) != 0) cannot_write(place, std::strerror(errno));
  out.sha256 = hash.hex();
  return out;
}

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::file_size(a, error) != fs::file_size(b, error) || error) return false;
  std::ifstream first(a, std::ios::binary);
  std::ifstream second(b, std::ios::binary);
  char one[65536];
  char two[65536];
  while (true) {
    first.read(one, sizeof one);
    second.read(two, sizeof two);
    if (first.gcount() != second.gcount()) return false;
    if (first.gcount() == 0) return !first.bad() && !second.bad();
    if (std::memcmp(one, two, static_cast<size_t>(first.gcount())) != 0) return false;
  }
}

// What renaming `paths` from `staging` would change. Refuses what would overwrite something of the
// user's.
std::vector<TreeChange> plan_changes(const fs::path& staging, const std::string& folder,
                                     const std::set<std::string>& paths,
                                     const std::set<std::string>& old_files) {
  std::vector<TreeChange> changes;
  for (const std::string& path : paths) {
    check_parents(folder, path);
    const fs::path place = fs::path(folder) / path;
    const fs::file_status status = fs::symlink_status(place);
    if (!fs::exists(status)) {
      changes.push_back({TreeChange::Kind::kAdded, path});
      continue;
    }
    const bool regular = fs::is_regular_file(status);
    if (regular && same_bytes(staging / path, place)) continue;
    if (!regular || !old_files.contains(path)) {
      refuse("not-our-file",
             burin::quoted(place.string()) + " is in the way: burin did not write it",
             "move it elsewhere");
    }
    changes.push_back({TreeChange::Kind::kChanged, path});
  }
  std::set<std::string> listed = old_files;
  listed.insert(paths.begin(), paths.end());
  const std::set<std::string> unlisted = unlisted_files(folder, listed);
  if (!unlisted.empty()) {
    const std::string others =
        unlisted.size() == 1 ? "" : " (and " + std::to_string(unlisted.size() - 1) + " more)";
    refuse("not-our-file",
           burin::quoted((fs::path(folder) / *unlisted.begin()).string()) + others +
               " is no file of this tree, in a folder that the tree owns",
           "move it elsewhere or remove it");
  }
  return changes;
}

// A manifest that stands for an unfinished change. Paths of trees need no escapes.
std::string interim_manifest(const std::set<std::string>& old_files,
                             const std::set<std::string>& paths) {
  std::set<std::string> all = old_files;
  all.insert(paths.begin(), paths.end());
  all.erase(std::string(kManifestName));
  std::string text = "{\n  \"interrupted\": true,\n  \"files\": [";
  for (const std::string& path : all) {
    text += (text.back() == '[' ? "\n    {\"path\": \"" : ",\n    {\"path\": \"") + path + "\"}";
  }
  return text + "\n  ]\n}\n";
}

void remove_file(const fs::path& folder, const std::string& path) {
  std::error_code error;
  fs::remove(folder / path, error);
  if (error) cannot_write(folder / path, error.message());
  // Folders that it leaves empty go too; remove() refuses the others.
  for (fs::path parent = fs::path(path).parent_path(); !parent.empty();
       parent = parent.parent_path()) {
    if (!fs::remove(folder / parent, error) || error) break;
  }
}

std::vector<TreeChange> swap_in(const Staging& staging, const std::string& folder,
                                const std::set<std::string>& paths,
                                const std::set<std::string>& old_files) {
  std::vector<TreeChange> changes = plan_changes(staging.path(), folder, paths, old_files);
  for (const std::string& path : old_files) {
    if (paths.contains(path)) continue;
    check_parents(folder, path);
    const fs::file_status status = fs::symlink_status(fs::path(folder) / path);
    if (!fs::exists(status)) continue;
    if (fs::is_directory(status)) {
      refuse("not-our-file",
             burin::quoted((fs::path(folder) / path).string()) + " is a folder now");
    }
    changes.push_back({TreeChange::Kind::kRemoved, path});
  }
  if (changes.empty()) return changes;
  std::sort(changes.begin(), changes.end(),
            [](const TreeChange& a, const TreeChange& b) { return a.path < b.path; });

  const std::string manifest(kManifestName);
  const std::string interim = manifest + ".interim";
  stage_file(staging.path(), interim, {interim_manifest(old_files, paths), {}, ""});
  move_file(staging.path() / interim, fs::path(folder) / manifest);
  for (const TreeChange& change : changes) {
    if (change.path == manifest) continue;
    if (change.kind == TreeChange::Kind::kRemoved) {
      remove_file(folder, change.path);
    } else {
      make_folders((fs::path(folder) / change.path).parent_path());
      move_file(staging.path() / change.path, fs::path(folder) / change.path);
    }
  }
  move_file(staging.path() / manifest, fs::path(folder) / manifest);
  return changes;
}

}  // namespace

std::vector<TreeChange> write_tree(const SourceTree& tree, const std::string& folder_as_given,
                                   const ManifestWriter& manifest) {
  std::string folder = folder_as_given;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  const std::set<std::string> old_files = files_on_disk(folder);
  const bool fresh = !fs::exists(fs::symlink_status(folder));
  Staging staging(
      fresh ? fs::path(folder + std::string(kStagingName)) : fs::path(folder) / kStagingName,
      folder);

  std::vector<TreeFile> files;
  std::set<std::string> paths;
  for (const auto& [path, entry] : tree.entries()) {
    files.push_back(stage_file(staging.path(), path, entry));
    paths.insert(path);
  }
  const std::string manifest_path(kManifestName);
  stage_file(staging.path(), manifest_path, {manifest(files), {}, ""});
  paths.insert(manifest_path);
  if (!fresh) return swap_in(staging, folder, paths, old_files);

  staging.become(folder);
  std::vector<TreeChange> changes;
  for (const std::string& path : paths) changes.push_back({TreeChange::Kind::kAdded, path});
  return changes;
}

}  // namespace burin

// Writing in four steps: stage everything in a folder of its own on the same disk; look for
// anything in the way; rename what differs into place and remove what only the old manifest lists,
// or undo all of that (tree_swap.h); remove the staging folder.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "render/source_tree.h"
#include "render/tree_on_disk.h"
#include "render/tree_swap.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_lock(const fs::path& path, int error) {
  if (error == EWOULDBLOCK) cannot_write(path, "another run of burin is writing there");
  refuse("cannot-write",
         burin::quoted(path.string()) +
             " cannot be locked against other runs of burin: " + std::strerror(error),
         "its file system may have no locks: write the tree to another one and copy it");
}

// The staging folder: made, locked against other runs, and gone at the end whatever happens. What a
// killed run left behind is undone or removed first. New files lie beneath one folder in it, beside
// the mark that says whose it is.
class Staging {
 public:
  Staging(fs::path path, const fs::path& folder) : path_(std::move(path)) {
    // What cannot be made here is the user's folder, whatever it is called on the way.
    make_folders(path_.parent_path().empty() ? fs::path(".") : path_.parent_path(), folder);
    const bool fresh = ::mkdir(path_.c_str(), 0777) == 0;
    if (!fresh && errno != EEXIST) cannot_write(folder, std::strerror(errno));
    lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock_ < 0) {
      const int error = errno;
      if (fresh) ::rmdir(path_.c_str());
      cannot_write(path_, std::strerror(error));
    }
    try {
      if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) refuse_lock(path_, errno);
      if (!fresh) take_over(folder);
      write_file(mark_in(path_), [](const ByteSink& sink) { sink("burin writes a tree here\n"); });
      make_folders(files());
    } catch (...) {
      std::error_code error;
      if (fresh) fs::remove_all(path_, error);
      ::close(lock_);
      throw;
    }
  }
  ~Staging() {
    std::error_code error;
    // What could not be undone the next run undoes.
    if (!is_open_swap(path_)) empty(error), fs::remove_all(path_, error);
    ::close(lock_);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const fs::path& path() const { return path_; }
  fs::path files() const { return path_ / "new"; }

  static fs::path mark_in(const fs::path& staging) { return staging / ".burin-staging"; }

 private:
  // What that run has done is undone, and its folder emptied.
  void take_over(const fs::path& folder) {
    std::error_code error;
    const bool has_nothing = fs::is_empty(path_, error);
    if (!error && !has_nothing && !fs::is_regular_file(status_of(mark_in(path_))))
      cannot_write(path_, "it is there already and no other run of burin made it");
    if (path_.parent_path() == folder) undo_swap(path_, folder);
    empty(error);
    if (!error) fs::remove(mark_in(path_), error);
    if (error) cannot_write(path_, error.message());
  }

  // All but the mark: without it nobody would know whose the rest is.
  void empty(std::error_code& error) const {
    for (fs::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
      if (at->path() != mark_in(path_)) fs::remove_all(at->path(), error);
    }
  }

  fs::path path_;
  int lock_ = -1;
};

// A staging folder beside the tree, of a run that made it new and was killed before it could tidy
// up.
void remove_left_over(const fs::path& staging) {
  std::error_code error;
  if (::rmdir(staging.c_str()) == 0) return;  // the mark is the last that goes
  if (!fs::is_regular_file(fs::symlink_status(Staging::mark_in(staging), error))) return;
  const int lock = ::open(staging.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lock < 0) return;
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(staging, error);
  ::close(lock);
}

// Writes one new file, hashing on the way.
TreeFile stage_file(const fs::path& staging, const std::string& path,
                    const SourceTree::Entry& entry) {
  const fs::path place = staging / path;
  make_folders(place.parent_path());
  TreeFile out{path, entry.role, "", 0};
  Sha256 hash;
  write_file(place, [&](const ByteSink& sink) {
    send_bytes(entry, [&](std::string_view bytes) {
      sink(bytes);
      hash.update(bytes);
      out.bytes += bytes.size();
    });
  });
  out.sha256 = hash.hex();
  return out;
}

// What cannot be read is replaced.
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
    if (first.bad() || second.bad() || first.gcount() != second.gcount()) return false;
    if (first.gcount() == 0) return first.eof() && second.eof();
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
    const fs::file_status status = status_of(place);
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
  std::set<std::string> unlisted = unlisted_files(folder, listed);
  std::erase_if(unlisted, is_python_cache);
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

std::vector<TreeChange> swap_in(const Staging& staging, const std::string& folder,
                                const std::set<std::string>& paths,
                                const std::set<std::string>& old_files) {
  std::vector<TreeChange> changes = plan_changes(staging.files(), folder, paths, old_files);
  for (const std::string& path : old_files) {
    if (paths.contains(path)) continue;
    check_parents(folder, path);
    const fs::file_status status = status_of(fs::path(folder) / path);
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

  swap_files(staging.path(), staging.files(), folder, changes, interim_manifest(old_files, paths));
  return changes;
}

}  // namespace

std::vector<TreeChange> write_tree(const SourceTree& tree, const std::string& folder_as_given,
                                   const ManifestWriter& manifest) {
  std::string folder = folder_as_given;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  files_on_disk(folder);  // nothing is made in a folder of others
  const bool fresh = !fs::exists(status_of(folder));
  Staging staging(
      fresh ? fs::path(folder + std::string(kStagingName)) : fs::path(folder) / kStagingName,
      folder);
  const std::set<std::string> old_files = files_on_disk(folder);  // once nothing is left undone

  std::vector<TreeFile> files;
  std::set<std::string> paths;
  for (const auto& [path, entry] : tree.entries()) {
    files.push_back(stage_file(staging.files(), path, entry));
    paths.insert(path);
  }
  const TreeLists lists = manifest(files);
  const auto stage_list = [&](std::string_view path, const std::string& text) {
    if (text.empty()) return;
    stage_file(staging.files(), std::string(path), {text, {}, ""});
    paths.insert(std::string(path));
  };
  stage_list(kManifestName, lists.manifest);
  stage_list(kHashesName, lists.hashes);
  if (!fresh) {
    remove_left_over(folder + std::string(kStagingName));
    return swap_in(staging, folder, paths, old_files);
  }

  move_file(staging.files(), folder);
  std::vector<TreeChange> changes;
  for (const std::string& path : paths) changes.push_back({TreeChange::Kind::kAdded, path});
  return changes;
}

}  // namespace burin

// No file system renames many files in one step. So before the first of them a journal in the
// staging folder says what is going to happen, every file that is replaced is kept (a second name
// of it, or moved where there are no hard links), and undoing reads the journal backwards: what was
// kept is renamed back, what was added is removed. Each of its steps may be repeated, so a swap
// that stopped anywhere, or an undoing that did, is undone by the same function.
//
// The run itself undoes what fails. Nobody can do that for a killed one, so a guardian, a child
// that waits for a word of its parent, does it when the parent goes without one.
#include "render/tree_swap.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

#include "render/tree_on_disk.h"
#include "support/diagnostics.h"
#include "support/file_bytes.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournal = ".burin-journal";  // "+path" added, "-path" replaced or removed
constexpr const char* kKept = ".burin-old";         // beneath it what was replaced, at its path
constexpr size_t kMostJournal = size_t{1} << 26;

bool is_added(const TreeChange& change) { return change.kind == TreeChange::Kind::kAdded; }

void write_journal(const fs::path& staging, const std::vector<TreeChange>& changes) {
  std::string text;
  for (const TreeChange& change : changes)
    text += (is_added(change) ? "+" : "-") + change.path + "\n";
  // It is there as a whole or not at all.
  const fs::path place = staging / kJournal, unfinished = staging / ".burin-journal-unfinished";
  write_file(unfinished, [&](const ByteSink& sink) { sink(text); });
  move_file(unfinished, place);
}

// Keeps what stands at a path. A second name leaves no moment at which the file is not there.
void keep(const fs::path& staging, const fs::path& folder, const std::string& path) {
  const fs::path kept = staging / kKept / path;
  make_folders(kept.parent_path());
  if (::link((folder / path).c_str(), kept.c_str()) == 0) return;
  move_file(folder / path, kept);
}

// Folders that a removed file leaves empty go too; others are not removed.
void remove_empty_parents(const fs::path& folder, const std::string& path) {
  std::error_code error;
  for (fs::path parent = fs::path(path).parent_path(); !parent.empty();
       parent = parent.parent_path()) {
    if (!fs::remove(folder / parent, error) || error) break;
  }
}

void remove_file(const fs::path& folder, const std::string& path) {
  if (::unlink((folder / path).c_str()) != 0 && errno != ENOENT)
    cannot_write(folder / path, std::strerror(errno));
  remove_empty_parents(folder, path);
}

void undo_change(const fs::path& staging, const fs::path& folder, char kind,
                 const std::string& path) {
  if (kind == '+') return remove_file(folder, path);
  const fs::path kept = staging / kKept / path, place = folder / path;
  if (!fs::exists(status_of(kept))) return;  // not begun, or undone
  make_folders(place.parent_path());
  // Renaming a second name of the same file does nothing, and leaves both.
  move_file(kept, place);
  ::unlink(kept.c_str());
}

// The lines of a journal, all of them such as write_journal() writes: whatever came with a folder
// is not followed out of it. Links stand in no parent of what is named, here and where it was kept.
std::vector<std::string> journal_lines(const fs::path& staging, const fs::path& folder,
                                       const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end == text.npos ? end : end - at);
    const std::string_view path = std::string_view(line).substr(line.empty() ? 0 : 1);
    if (end == text.npos || line.empty() || (line[0] != '+' && line[0] != '-') ||
        !is_tree_path(path))
      cannot_write(staging, "its journal is none that burin has written; remove that folder");
    check_parents(folder.string(), path);
    check_parents((staging / kKept).string(), path);
    out.push_back(line);
    at = end + 1;
  }
  return out;
}

// A child that undoes the swap when this process is gone without a word.
class Guardian {
 public:
  Guardian(const fs::path& staging, const fs::path& folder) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    // What ends the parent from a terminal is sent to the child, too.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    child_ = fork();
    if (child_ == 0) {
      close(ends[0]);
      watch(ends[1], staging, folder);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(ends[1]);
    if (child_ > 0) {
      end_ = ends[0];
    } else {
      close(ends[0]);  // without one: what is left is the next run's to undo
    }
  }
  ~Guardian() {
    if (end_ < 0) return;
    const char word = 1;
    while (send(end_, &word, 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    close(end_);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

 private:
  [[noreturn]] static void watch(int end, const fs::path& staging, const fs::path& folder) {
    char word = 0;
    ssize_t got = 0;
    while ((got = read(end, &word, 1)) < 0 && errno == EINTR) {
    }
    if (got != 0) _exit(0);  // the parent has ended the swap itself; or nothing can be known of it
    try {
      undo_swap(staging, folder);
      std::error_code error;
      fs::remove_all(staging, error);
    } catch (const std::exception&) {
      // The journal stays for the next run.
    }
    _exit(0);
  }

  pid_t child_ = -1;
  int end_ = -1;
};

void apply(const fs::path& staging, const fs::path& files, const fs::path& folder,
           const std::vector<TreeChange>& changes, const std::string& interim) {
  const std::string manifest(kManifestName);
  const fs::path meanwhile = staging / ".burin-interim";
  write_file(meanwhile, [&](const ByteSink& sink) { sink(interim); });
  for (const TreeChange& change : changes) {
    if (change.path == manifest && !is_added(change)) keep(staging, folder, manifest);
  }
  move_file(meanwhile, folder / manifest);
  for (const TreeChange& change : changes) {
    if (change.path == manifest) continue;
    if (!is_added(change)) keep(staging, folder, change.path);
    if (change.kind == TreeChange::Kind::kRemoved) {
      remove_file(folder, change.path);
    } else {
      make_folders((folder / change.path).parent_path());
      move_file(files / change.path, folder / change.path);
    }
  }
  move_file(files / manifest, folder / manifest);
  // From here on it is the new tree, whatever becomes of what was kept.
  if (::unlink((staging / kJournal).c_str()) != 0) cannot_write(folder, std::strerror(errno));
}

}  // namespace

bool is_open_swap(const fs::path& staging) {
  std::error_code error;
  return fs::symlink_status(staging / kJournal, error).type() != fs::file_type::not_found;
}

void undo_swap(const fs::path& staging, const fs::path& folder) {
  const fs::path journal = staging / kJournal;
  if (!fs::exists(status_of(journal))) return;
  const std::vector<std::string> lines =
      journal_lines(staging, folder, read_file(journal.string(), kMostJournal));
  const std::string manifest(kManifestName);
  // The manifest last: until then it lists old and new files.
  std::string last;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const std::string path = line->substr(1);
    if (path == manifest) {
      last = *line;
    } else {
      undo_change(staging, folder, line->front(), path);
    }
  }
  if (!last.empty()) undo_change(staging, folder, last[0], manifest);
  if (::unlink(journal.c_str()) != 0 && errno != ENOENT) cannot_write(folder, std::strerror(errno));
}

void swap_files(const fs::path& staging, const fs::path& files, const fs::path& folder,
                const std::vector<TreeChange>& changes, const std::string& interim) {
  write_journal(staging, changes);
  const Guardian guardian(staging, folder);
  const auto undo = [&](const std::string& why) {
    try {
      undo_swap(staging, folder);
    } catch (const Refused& left) {
      refuse("cannot-write",
             why + "; what had been done could not be undone: " + left.diagnostics[0].message,
             "once that can be written, the same command undoes it and goes on");
    }
  };
  try {
    apply(staging, files, folder, changes, interim);
  } catch (const Refused& refused) {
    undo(refused.diagnostics[0].message);
    throw;
  } catch (...) {  // no memory, for one
    undo("the files could not be renamed");
    throw;
  }
}

}  // namespace burin

// What write_tree and check_tree both know of a folder. Private to render/.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "render/source_tree.h"

namespace burin {

inline constexpr std::string_view kStagingName = ".burin-staging";

// Refuses: "'<path>' cannot be written: <why>".
[[noreturn]] void cannot_write(const std::filesystem::path& path, const std::string& why);

// What stands at a path, links not followed; nothing there is no error, a path that cannot be
// looked at is refused.
std::filesystem::file_status status_of(const std::filesystem::path& path);

// With those around it. `told` is the path that a refusal names.
void make_folders(const std::filesystem::path& path, const std::filesystem::path& told);
void make_folders(const std::filesystem::path& path);

// A new file with these bytes, each of them taken by the system; refuses one that is there.
void write_file(const std::filesystem::path& path, const ByteSource& source);
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);

// Whether a path may be in a tree: see SourceTree::add.
bool is_tree_path(std::string_view path);

// The bytes of an entry, in pieces.
void send_bytes(const SourceTree::Entry& entry, const ByteSink& sink);

// Paths that the manifest in `folder` lists, and its own; empty when the folder is absent or empty.
// Refuses a folder with other content and no manifest, and a manifest that lists paths no tree may
// have.
std::set<std::string> files_on_disk(const std::string& folder);

// Files in the folders of `listed` (which the top is not) that it does not name, but for what tools
// that build a package where it lies leave there, and nothing of a tree reads. Links are files.
std::set<std::string> unlisted_files(const std::string& folder,
                                     const std::set<std::string>& listed);

// A module of Python that was imported: read in the place of its source, so that a check tells of
// it; made again, so that it is in nobody's way.
bool is_python_cache(std::string_view path);

// Refuses paths whose parents within `folder` are anything but folders: through a link a tree could
// write elsewhere.
void check_parents(const std::string& folder, std::string_view path);

}  // namespace burin

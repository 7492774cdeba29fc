// What write_tree and check_tree both know of a folder. Private to render/.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "render/source_tree.h"

namespace burin {

inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::string_view kStagingName = ".burin-staging";

// Whether a path may be in a tree: see SourceTree::add.
bool is_tree_path(std::string_view path);

// The bytes of an entry, in pieces.
void send_bytes(const SourceTree::Entry& entry, const ByteSink& sink);

// Paths that the manifest in `folder` lists, and its own; empty when the folder is absent or empty.
// Refuses a folder with other content and no manifest, and a manifest that lists paths no tree may
// have.
std::set<std::string> files_on_disk(const std::string& folder);

// Files in the folders of `listed` (which the top is not) that it does not name. Links are files.
std::set<std::string> unlisted_files(const std::string& folder,
                                     const std::set<std::string>& listed);

// Refuses paths whose parents within `folder` are anything but folders: through a link a tree could
// write elsewhere.
void check_parents(const std::string& folder, std::string_view path);

}  // namespace burin

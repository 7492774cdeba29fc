// A swap: new files are renamed into a folder that has a tree, and all of it is undone where one of
// the renames fails or the run is killed. Private to render/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/source_tree.h"

namespace burin {

// Renames what is added and changed from `files`, beneath `staging`, into `folder`, and what is
// changed or removed there out of it, manifest.json last. What stood there is kept in `staging`
// until the end.
//
// A refusal of any step undoes those before it and leaves `folder` as it was. Where this process is
// killed, another one that it has started undoes them; where both are, undo_swap() of the next run.
// `interim`: the text of a manifest that lists old and new files, in place meanwhile.
void swap_files(const std::filesystem::path& staging, const std::filesystem::path& files,
                const std::filesystem::path& folder, const std::vector<TreeChange>& changes,
                const std::string& interim);

// Puts back what a swap has renamed so far; nothing where none was begun in `staging`. May be
// called again after a failure. Refuses (cannot-write) what cannot be put back.
void undo_swap(const std::filesystem::path& staging, const std::filesystem::path& folder);
// Whether there is something to undo.
bool is_open_swap(const std::filesystem::path& staging);

}  // namespace burin

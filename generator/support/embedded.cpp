#include "support/embedded.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "support/check.h"
#include "support/embedded_data.h"

namespace burin {

std::string_view embedded_file(std::string_view path) {
  const EmbeddedFile* end = kEmbeddedFiles + kEmbeddedFileCount;
  const EmbeddedFile* file = std::lower_bound(
      kEmbeddedFiles, end, path,
      [](const EmbeddedFile& one, std::string_view wanted) { return one.path < wanted; });
  BURIN_CHECK(file != end && file->path == path, std::string(path));
  return {reinterpret_cast<const char*>(file->bytes), file->size};
}

std::vector<std::string_view> embedded_files(std::string_view prefix) {
  std::vector<std::string_view> paths;
  for (size_t i = 0; i < kEmbeddedFileCount; ++i) {
    if (kEmbeddedFiles[i].path.starts_with(prefix)) paths.push_back(kEmbeddedFiles[i].path);
  }
  return paths;
}

}  // namespace burin

#include "backends/licence.h"

namespace burin {
namespace {

constexpr std::string_view kMark = "SPDX-License-Identifier:";

bool is_c(std::string_view path) {
  for (const char* ending : {".c", ".cl", ".cpp", ".h"}) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

bool has_line(std::string_view text) {
  return text.substr(0, text.find('\n')).find(kMark) != std::string_view::npos;
}

}  // namespace

void add_licence(SourceTree& tree) {
  std::vector<std::pair<std::string, Code>> lines;
  for (const auto& [path, entry] : tree.entries()) {
    if (entry.stream || has_line(entry.bytes)) continue;
    if (is_c(path)) lines.emplace_back(path, "// SPDX-License-Identifier: MIT-0\n");
    if (path.ends_with(".rs") || path.ends_with(".java") || path.ends_with(".bp") ||
        path.ends_with(".gradle"))
      lines.emplace_back(path, "// SPDX-License-Identifier: MIT-0\n");
    if (path.ends_with(".py") || path.ends_with(".mk") || path.ends_with(".yml") ||
        path.ends_with(".toml") || path.ends_with(".bazel") || path.ends_with("/Kconfig") ||
        path == "zephyr/CMakeLists.txt")
      lines.emplace_back(path, "# SPDX-License-Identifier: MIT-0\n");
    if (path == "CMakeLists.txt" || path == ".clang-format" || path == ".gitattributes")
      lines.emplace_back(path, "# SPDX-License-Identifier: MIT-0\n");
    if (path.ends_with(".html"))
      lines.emplace_back(path, "<!-- SPDX-License-Identifier: MIT-0 -->\n");
    if (path.ends_with(".md") && path.find('/') == path.npos)
      lines.emplace_back(path, "<!-- SPDX-License-Identifier: MIT-0 -->\n");
  }
  for (const auto& [path, line] : lines) tree.prepend(path, line);
}

}  // namespace burin

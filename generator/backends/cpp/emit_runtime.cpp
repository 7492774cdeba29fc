// The parts of runtime_min that a tree uses, copied as they are; and what no other library sees.
#include <set>

#include "backends/cpp/kernel_set.h"
#include "support/embedded.h"

namespace burin::cpp {

void hide_from_here(Printer& out) {
  out.line("// For this tree alone, whatever the flags of the build.");
  out.line("#if defined(__GNUC__)");
  out.line("#pragma GCC visibility push(hidden)");
  out.line("#endif");
}

void hide_to_here(Printer& out) {
  out.line("#if defined(__GNUC__)");
  out.line("#pragma GCC visibility pop");
  out.line("#endif");
}

void emit_runtime(const print::Headers& headers, SourceTree& tree) {
  std::set<std::string> done;
  std::vector<std::string> todo(headers.begin(), headers.end());
  while (!todo.empty()) {
    const std::string path = todo.back();
    todo.pop_back();
    if (!done.insert(path).second) continue;
    const std::string_view text = embedded_file("runtime_min/" + path);
    const std::string folder =
        path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
    constexpr std::string_view kInclude = "#include \"";
    for (size_t at = text.find(kInclude); at != std::string_view::npos;
         at = text.find(kInclude, at + 1)) {
      const size_t start = at + kInclude.size(), end = text.find('"', start);
      std::string included(text.substr(start, end - start));
      todo.push_back(included.starts_with("../") ? included.substr(3) : folder + included);
    }
    if (path != kOwnNamespace && !tree.entries().contains("src/rt/" + path)) {
      tree.add("src/rt/" + path, Code::embedded("runtime_min/" + path), "runtime");
    }
  }
}

}  // namespace burin::cpp

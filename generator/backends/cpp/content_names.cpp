// Names of a tree's functions that carry its content, so that trees of one name are told apart.
#include "backends/cpp/content_names.h"

#include "hardware/capabilities.h"
#include "render/printed_code.h"
#include "render/template.h"
#include "support/sha256.h"

namespace burin::cpp {

Code content_of(const SourceTree& tree) {
  Sha256 hash;
  for (const auto& [path, entry] : tree.entries()) {
    if (!path.starts_with("src/")) continue;
    hash.update(path);
    if (entry.stream) {
      entry.stream([&](std::string_view bytes) { hash.update(bytes); });
    } else {
      hash.update(entry.bytes);
    }
  }
  constexpr size_t kDigits = 12;
  return printed_code(hash.hex().substr(0, kDigits));
}

Code content_names(const ModelPlan& plan, const TreeNames& names, const Code& content) {
  return Template::embedded("templates/common/content_names.h.in")
      .render({{"name", names.model},
               {"macro", printed_code(names.macro)},
               {"content", content},
               {"opencl", has_device(plan.hardware)}});
}

Code plain_names(const ModelPlan& plan, const TreeNames& names) {
  return Template::embedded("templates/common/plain_names.cpp.in")
      .render({{"name", names.model},
               {"dims", !plan.graph.symbols.empty()},
               {"opencl", has_device(plan.hardware)}});
}

}  // namespace burin::cpp

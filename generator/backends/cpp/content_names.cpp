// Names of a tree's functions that carry its content, so that trees of one name are told apart.
#include "backends/cpp/content_names.h"

#include "backends/cpp/emit_cpp.h"
#include "hardware/capabilities.h"
#include "render/printed_code.h"
#include "render/template.h"
#include "support/sha256.h"

namespace burin::cpp {

Code content_of(const std::vector<Network>& networks, const SourceTree& tree) {
  Sha256 hash;
  for (const Network& one : networks) hash.update(std::to_string(weights_file_crc(one.weights)));
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

void emit_content(const Network& network, const Code& content, SourceTree& tree) {
  const TreeNames& names = network.names;
  tree.add("include/" + names.model.text() + "_content.h",
           Template::embedded("templates/common/content.h.in")
               .render({{"name", names.model},
                        {"macro", printed_code(names.macro)},
                        {"content", content},
                        {"blob", network.plan->weights == WeightsMode::blob},
                        {"crc", unsigned_code(weights_file_crc(network.weights))}}),
           "header");
}

Code content_names(const ModelPlan& plan, const TreeNames& names) {
  return Template::embedded("templates/common/content_names.h.in")
      .render({{"name", names.model},
               {"macro", printed_code(names.macro)},
               {"opencl", has_device(plan.hardware)}});
}

Code plain_names(const ModelPlan& plan, const TreeNames& names) {
  return Template::embedded("templates/common/plain_names.cpp.in")
      .render({{"name", names.model},
               {"dims", !plan.graph.symbols.empty()},
               {"opencl", has_device(plan.hardware)}});
}

}  // namespace burin::cpp

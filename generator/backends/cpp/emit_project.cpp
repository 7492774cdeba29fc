// What surrounds the code: CMakeLists.txt, .clang-format; and the list of all that a tree has.
#include <algorithm>
#include <set>

#include "backends/cpp/content_names.h"
#include "backends/cpp/emit_cpp.h"
#include "hardware/capabilities.h"
#include "render/printed_code.h"
#include "render/template.h"

namespace burin::cpp {

namespace {

// A network as the CMakeLists.txt knows it.
Record target_record(const Network& network, const SourceTree& tree) {
  const TreePlaces& places = network.names.places;
  return {{"name", network.names.model},
          {"blob", network.plan->weights == WeightsMode::blob},
          {"weights_file", printed_code(places.weights)},
          {"has_test", tree.entries().contains(places.test + "self_test.c")},
          {"test", printed_code(places.test + "self_test.c")}};
}

bool asks_for(const ModelPlan& plan, const char* package) {
  return std::find(plan.packages.begin(), plan.packages.end(), package) != plan.packages.end();
}

}  // namespace

void emit_project(const std::vector<Network>& networks, SourceTree& tree) {
  const ModelPlan& plan = *networks.back().plan;
  const TreeNames& names = networks.back().names;
  std::vector<TemplateValue> flags;
  if (!plan.hardware.compilers.empty()) {
    for (const std::string& flag : plan.hardware.compilers[0].compile_flags)
      flags.push_back(printed_code(flag));
  }
  // CMake takes a flag once, with its argument where it is repeated.
  std::vector<TemplateValue> options;
  if (!plan.hardware.compilers.empty()) {
    const std::vector<std::string>& all = plan.hardware.compilers[0].compile_flags;
    for (size_t i = 0; i < all.size(); ++i) {
      const bool repeated = std::count(all.begin(), all.end(), all[i]) > 1 && i + 1 < all.size();
      options.push_back(
          printed_code(repeated ? "\"SHELL:" + all[i] + " " + all[i + 1] + "\"" : all[i]));
      i += repeated ? 1 : 0;
    }
  }
  std::vector<TemplateValue> packer;
  if (!plan.hardware.packer.empty()) packer.push_back(printed_code(plan.hardware.packer));
  // By name, so that no other file is compiled; one pattern for each folder is for people.
  std::vector<TemplateValue> sources, patterns;
  std::set<std::string> folders;
  for (const auto& [path, entry] : tree.entries()) {
    if (!path.starts_with("src/") || !path.ends_with(".cpp")) continue;
    sources.push_back(printed_code(path));
    folders.insert(path.substr(0, path.rfind('/')));
  }
  for (const std::string& folder : folders) patterns.push_back(printed_code(folder + "/*.cpp"));
  // The tree's own comes first.
  List targets;
  bool has_test = false;
  for (size_t i = 0; i < networks.size(); ++i) {
    const Network& network = networks[(i + networks.size() - 1) % networks.size()];
    append(targets, target_record(network, tree));
    has_test |= tree.entries().contains(network.names.places.test + "self_test.c");
  }
  tree.add("CMakeLists.txt",
           Template::embedded("templates/cpp/CMakeLists.txt.in")
               .render({{"name", names.model},
                        {"option", printed_code(names.macro + "_TESTS")},
                        {"networks", targets},
                        {"has_pool", tree.entries().contains("threads/pool.h")},
                        {"has_test", has_test},
                        {"opencl", has_device(plan.hardware)},
                        {"esp_idf", asks_for(plan, "esp-idf")},
                        {"shared", asks_for(plan, "python")},
                        {"java", asks_for(plan, "java")},
                        {"patterns", patterns},
                        {"sources", sources},
                        {"flags", flags},
                        {"options", options},
                        {"packer", packer},
                        {"packing", printed_code(names.macro + "_PACKED")}}),
           "build");
  tree.add(std::string("src/rt/") + kOwnNamespace,
           Template::embedded("templates/cpp/src/rt/tree.h.in").render({{"name", names.model}}),
           "runtime");
  tree.add(".gitattributes", Template::embedded("templates/cpp/.gitattributes.in").render({}),
           "build");
  tree.add(".clang-format", Template::embedded("templates/cpp/.clang-format.in").render({}),
           "build");
}

namespace {

// Under the tree's name, so that the pools of two trees never meet.
void emit_pool(const TreeNames& names, SourceTree& tree) {
  const std::string place = "threads/" + names.model.text() + "_threads";
  tree.add("threads/pool.h", Code::embedded("runtime_min/hosted/pool.h"), "threads");
  tree.add(place + ".h",
           Template::embedded("templates/cpp/threads/name_threads.h.in")
               .render({{"name", names.model}, {"macro", printed_code(names.macro)}}),
           "threads");
  tree.add(place + ".cpp",
           Template::embedded("templates/cpp/threads/name_threads.cpp.in")
               .render({{"name", names.model}}),
           "threads");
}

}  // namespace

EmittedTree emit(const ModelPlan& plan, const std::vector<const ModelPlan*>& models) {
  EmittedTree out;
  const std::vector<Network> networks = networks_of(plan, models, kernel_units);
  const Network& own = networks.back();
  for (Network one : networks) {
    one.names.places.kernels = own.names.places.kernels;
    emit_memory(*one.plan, one.names, one.weights, out.tree);
    emit_source(*one.plan, one.names, one.kernels, one.weights, out.tree);
    emit_weights(*one.plan, one.names, one.weights, out.tree);
    emit_test(*one.plan, one.names, out.tree);
    emit_report(*one.plan, one.names, one.kernels, one.weights, out.tree);
  }
  for (const auto& [step, calls] : own.kernels.calls) {
    for (const KernelCall& one : calls)
      out.launches[step].push_back(own.kernels.kernels[one.kernel].name.text());
  }
  emit_kernels(all_kernels(networks), own.names.places.kernels, out.tree);
  // What compilers call by themselves, where no library has it.
  if (plan.profile == Profile::kFreestanding) emit_runtime({"freestanding/support.cpp"}, out.tree);
  // A pool that a caller may take for parallel_for; no part of the library.
  const auto shares_loops = [](const Network& one) { return workers_of(*one.plan) > 1; };
  if (std::any_of(networks.begin(), networks.end(), shares_loops) &&
      plan.profile == Profile::kHosted) {
    emit_pool(own.names, out.tree);
  }
  emit_project(networks, out.tree);
  const Code content = content_of(networks, out.tree);
  for (const Network& one : networks) {
    emit_interface(*one.plan, one.names, one.weights, 0, out.tree);
    emit_content(one, content, out.tree);
  }
  emit_plan(networks, out.tree);
  out.manifest = manifest_writer(networks, out.tree);
  return out;
}

}  // namespace burin::cpp

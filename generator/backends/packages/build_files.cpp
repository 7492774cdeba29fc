// Build files of other systems beside CMakeLists.txt: all of them list the sources by name, as the
// manifest does.
#include <nlohmann/json.hpp>

#include "backends/cpp/json_text.h"
#include "backends/packages/packages.h"
#include "hardware/capabilities.h"
#include "render/printed_code.h"
#include "render/template.h"

namespace burin::packages {
namespace {

constexpr const char* kFlags[] = {"-ffp-contract=off", "-fno-exceptions", "-fno-rtti",
                                  "-fvisibility=hidden"};

// What build files tell of a tree.
struct Build {
  explicit Build(const SourceTree& tree) {
    for (const auto& [path, entry] : tree.entries()) {
      if (path.starts_with("include/")) interfaces.push_back(path);
      if (path.starts_with("weights/")) data.push_back(path);
      if (!path.starts_with("src/")) continue;
      (path.ends_with(".cpp") ? sources : headers).push_back(path);
    }
  }
  std::vector<std::string> sources, headers, interfaces, data;
};

List codes(const std::vector<std::string>& texts) {
  List out;
  for (const std::string& text : texts) out.emplace_back(printed_code(text));
  return out;
}

std::vector<std::string> flags_of(const ModelPlan& plan) {
  std::vector<std::string> out(std::begin(kFlags), std::end(kFlags));
  if (!plan.hardware.compilers.empty()) {
    const auto& own = plan.hardware.compilers[0].compile_flags;
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

// What of them other machines do not have; Soong builds a module for several.
std::vector<std::string> machine_flags(const ModelPlan& plan, bool machine) {
  const Isa isa = plan.hardware.isa;
  const bool known = isa == Isa::kX86_64 || isa == Isa::kAarch64;
  std::vector<std::string> out = flags_of(plan);
  std::erase_if(
      out, [&](const std::string& flag) { return (known && flag.starts_with("-m")) != machine; });
  return out;
}

List tests_of(const std::vector<Network>& networks, const SourceTree& tree) {
  List out;
  for (const Network& network : networks) {
    const std::string& folder = network.names.places.test;
    if (!tree.entries().contains(folder + "self_test.c")) continue;
    const std::string data =
        network.plan->weights == WeightsMode::blob ? network.names.places.weights : "";
    const auto quoted_if = [&](const std::string& text) {
      return data.empty() ? Code() : printed_code("\"" + text + "\"");
    };
    append(out, {{"name", network.names.model},
                 {"source", printed_code(folder + "self_test.c")},
                 {"headers", codes({folder + "vectors.h"})},
                 {"data", quoted_if(data)},
                 // A test runs at the top of the workspace, wherever the tree lies in it.
                 {"argument", quoted_if("$(rootpath " + data + ")")}});
  }
  return out;
}

// PlatformIO's, whose format is JSON.
std::string library_json(const Network& own, const std::vector<std::string>& flags,
                         const std::vector<std::string>& sources) {
  cpp::Json json;
  json["name"] = own.names.model.text();
  json["version"] = "0.1.0";
  json["description"] = "The network " + own.names.model.text() + ", emitted by burin";
  json["license"] = "MIT-0";
  json["frameworks"] = "*";
  json["platforms"] = "*";
  std::vector<std::string> all = {"-std=gnu++17"};
  all.insert(all.end(), flags.begin(), flags.end());
  // By name, as in all build files: what is added to a folder is not compiled.
  cpp::Json filter = cpp::Json::array();
  for (const std::string& source : sources)
    filter.push_back("+<" + source.substr(std::string("src/").size()) + ">");
  json["build"] = {{"srcDir", "src"},
                   {"includeDir", "include"},
                   {"srcFilter", filter},
                   {"unflags", {"-std=gnu++11"}},
                   {"flags", all}};
  return cpp::dump(json);
}

}  // namespace

void add_build_files(const std::vector<Network>& networks, SourceTree& tree) {
  const Network& own = networks.back();
  const ModelPlan& plan = *own.plan;
  const Build build(tree);
  const std::vector<std::string> flags = flags_of(plan);
  const TemplateValue name = own.names.model, macro = printed_code(own.names.macro);
  const Args parts{
      {"name", name},
      {"macro", macro},
      {"sources", codes(build.sources)},
      {"headers", codes(build.headers)},
      {"interfaces", codes(build.interfaces)},
      {"data", codes(build.data)},
      {"tests", tests_of(networks, tree)},
      {"opencl", has_device(plan.hardware)},
      {"package", printed_code(spelled(own.names.model))},
      {"flags", codes(flags)},
      {"portable", codes(machine_flags(plan, false))},
      {"machine", codes(machine_flags(plan, true))},
      {"abi", printed_code(plan.hardware.isa == Isa::kX86_64 ? "x86_64" : "arm64-v8a")},
      {"arch", printed_code(plan.hardware.isa == Isa::kX86_64 ? "x86_64" : "arm64")}};
  const auto add = [&](const char* package, const std::string& place, const std::string& from) {
    if (!has_package(plan, package)) return;
    const Template text = Template::embedded("templates/packages/" + from + ".in");
    Args args;
    for (const TemplateParam& param : text.params()) args.insert(*parts.find(param.name));
    tree.add(place, text.render(args), "build");
  };
  add("android", "Android.bp", "Android.bp");
  add("android", "android/build.gradle", "build.gradle");
  add("android", "android/src/main/AndroidManifest.xml", "AndroidManifest.xml");
  add("esp-idf", "idf_component.yml", "idf_component.yml");
  add("zephyr", "zephyr/module.yml", "module.yml");
  add("zephyr", "zephyr/Kconfig", "Kconfig");
  add("zephyr", "zephyr/CMakeLists.txt", "zephyr.txt");
  add("bazel", "BUILD.bazel", "BUILD.bazel");
  add("make", "sources.mk", "sources.mk");
  if (has_package(plan, "platformio"))
    tree.add_data("library.json", library_json(own, flags, build.sources), "build");
}

}  // namespace burin::packages

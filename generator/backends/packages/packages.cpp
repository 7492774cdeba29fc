#include "backends/packages/packages.h"

#include <algorithm>

#include "backends/cpp/network.h"
#include "hardware/capabilities.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

const std::vector<std::string> kLanguages = {"python", "rust", "java"};

}  // namespace

const std::vector<PackageKind>& package_kinds() {
  static const std::vector<PackageKind> kinds = {
      {"android", "Android.bp, and android/build.gradle, which publishes a prefab"},
      {"esp-idf", "idf_component.yml"},
      {"zephyr", "zephyr/module.yml"},
      {"platformio", "library.json"},
      {"bazel", "BUILD.bazel"},
      {"make", "sources.mk"},
      {"python", "a module on ctypes"},
      {"rust", "a crate"},
      {"java", "a class on JNI"},
      {"fastrpc", "both ends of calls from Android to a Hexagon DSP"},
  };
  return kinds;
}

bool has_package(const ModelPlan& plan, std::string_view name) {
  return std::find(plan.packages.begin(), plan.packages.end(), name) != plan.packages.end();
}

void add_packages(const ModelPlan& plan, const std::vector<const ModelPlan*>& models,
                  SourceTree& tree) {
  if (plan.packages.empty()) return;
  std::vector<const ModelPlan*> plans = models;
  plans.push_back(&plan);
  const std::vector<cpp::TreePlaces> places = cpp::places_of(plan, models);
  std::vector<packages::Network> networks;
  for (size_t i = 0; i < plans.size(); ++i) {
    networks.push_back({plans[i], cpp::name_everything(*plans[i])});
    networks.back().names.places = places[i];
  }
  packages::add_build_files(networks, tree);
  for (const std::string& language : kLanguages) {
    if (!has_package(plan, language)) continue;
    if (has_device(plan.hardware))
      refuse("package", "there is no binding for " + language + " of a tree for a device",
             "its C interface serves as it is");
    for (const packages::Network& network : networks)
      packages::add_bindings(network, language, tree);
  }
  if (has_package(plan, "fastrpc")) {
    if (has_device(plan.hardware))
      refuse("package", "there is no fastrpc of a tree for a device",
             "generate for the DSP, such as --config hexagon-v66");
    packages::add_fastrpc(networks, tree);
  }
  if (has_package(plan, kSingleFile) && networks.size() > 1)
    refuse("package", "one source holds one network, not " + std::to_string(models.size()),
           "generate the models one after the other, or compile src/");
  if (has_package(plan, kSingleFile)) packages::add_single_file(networks.back(), tree);
}

}  // namespace burin

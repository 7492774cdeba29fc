// What surrounds a tree in other build systems and languages, on demand: build files beside
// CMakeLists.txt, bindings, all sources as one file. All of it follows from what is in the tree.
#pragma once

#include <string>
#include <vector>

#include "backends/cpp/names.h"
#include "backends/model_plan.h"
#include "render/source_tree.h"
#include "render/value.h"

namespace burin {

struct PackageKind {
  const char* name;  // of --package
  const char* gives;
};
const std::vector<PackageKind>& package_kinds();
inline constexpr const char* kSingleFile = "single-file";  // a package that has its own flag

bool has_package(const ModelPlan& plan, std::string_view name);

// Adds what plan.packages asks for. Refused (package): bindings of a tree for a device, whose
// contexts only C knows; one
// source of several networks.
void add_packages(const ModelPlan& plan, const std::vector<const ModelPlan*>& models,
                  SourceTree& tree);

namespace packages {

// A name where it must be no word of Python, Rust, Java or Groovy: those get an underscore behind.
std::string spelled(const Identifier& name);

// One of the networks of a tree.
struct Network {
  const ModelPlan* plan = nullptr;
  cpp::TreeNames names;
};

// The parts; each adds its files.
void add_build_files(const std::vector<Network>& networks, SourceTree& tree);
void add_bindings(const Network& network, const std::string& language, SourceTree& tree);
// Refused (package): an output of dynamic size.
void add_fastrpc(const std::vector<Network>& networks, SourceTree& tree);
// `single/<name>.cpp`: every source of the library, with the tree's headers in it.
void add_single_file(const Network& own, SourceTree& tree);

}  // namespace packages
}  // namespace burin

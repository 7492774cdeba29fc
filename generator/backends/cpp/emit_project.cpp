// What surrounds the code: CMakeLists.txt, .clang-format; and the list of all that a tree has.
#include <set>

#include "backends/cpp/emit.h"
#include "hardware/capabilities.h"
#include "render/printed_code.h"
#include "render/template.h"

namespace burin::cpp {

void emit_project(const ModelPlan& plan, const TreeNames& names, SourceTree& tree) {
  const Identifier& model = names.model;
  std::vector<TemplateValue> flags;
  if (!plan.hardware.compilers.empty()) {
    for (const std::string& flag : plan.hardware.compilers[0].compile_flags)
      flags.push_back(printed_code(flag));
  }
  // One pattern for each folder that has some.
  std::set<std::string> patterns;
  for (const auto& [path, entry] : tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp"))
      patterns.insert(path.substr(0, path.rfind('/')) + "/*.cpp");
  }
  std::vector<TemplateValue> sources;
  for (const std::string& pattern : patterns) sources.push_back(printed_code(pattern));
  tree.add(
      "CMakeLists.txt",
      Template::embedded("templates/cpp/CMakeLists.txt.in")
          .render({{"name", model},
                   {"option", printed_code(names.macro + "_TESTS")},
                   {"embedded", tree.entries().contains("src/" + model.text() + "_weights.cpp")},
                   {"freestanding", plan.profile == Profile::kFreestanding},
                   {"has_pool", tree.entries().contains("threads/burin_threads.h")},
                   {"has_test", tree.entries().contains("test/self_test.c")},
                   {"opencl", has_device(plan.hardware)},
                   {"sources", sources},
                   {"flags", flags}}),
      "build");
  tree.add(".clang-format", Template::embedded("templates/cpp/.clang-format.in").render({}),
           "build");
}

EmittedTree emit(const ModelPlan& plan) {
  EmittedTree out;
  const TreeNames names = name_everything(plan);
  const WeightsLayout weights = lay_out_weights(plan);
  const KernelSet kernels = print_kernels(plan);
  emit_interface(plan, names, weights, 0, out.tree);
  emit_memory(plan, names, weights, out.tree);
  emit_kernels(kernels, names.model, out.tree);
  emit_source(plan, names, kernels, weights, out.tree);
  emit_weights(plan, names, weights, out.tree);
  // What compilers call by themselves, where no library has it.
  if (plan.profile == Profile::kFreestanding) emit_runtime({"freestanding/support.cpp"}, out.tree);
  emit_test(plan, names, out.tree);
  // A pool that a caller may take for parallel_for; no part of the library.
  if (workers_of(plan) > 1 && plan.profile == Profile::kHosted) {
    for (const char* file : {"burin_threads.h", "burin_threads.cpp"}) {
      out.tree.add(std::string("threads/") + file,
                   Code::embedded(std::string("runtime_min/hosted/") + file), "threads");
    }
  }
  emit_project(plan, names, out.tree);
  emit_report(plan, names, kernels, weights, out.tree);
  emit_plan(plan, names, kernels, weights, out.tree);
  out.manifest = manifest_writer(plan, names, weights, out.tree);
  return out;
}

}  // namespace burin::cpp

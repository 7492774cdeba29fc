// What surrounds the code: CMakeLists.txt, .clang-format, REPORT.md, plan.json and manifest.json.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "backends/cpp/emit.h"
#include "backends/cpp/vocabulary.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "render/template.h"

namespace burin::cpp {
namespace {

using Json = nlohmann::ordered_json;

Json shape_json(const std::vector<Dim>& shape, const TreeNames& names) {
  Json out = Json::array();
  for (const Dim& dim : shape) {
    if (dim.is_constant()) {
      out.push_back(dim.constant());
    } else {
      out.push_back(size_text(dim, names));
    }
  }
  return out;
}

Json tensor_json(const ModelPlan& plan, const TreeNames& names, ValueId id) {
  const Value& value = plan.graph.values[static_cast<size_t>(id)];
  Json out;
  out["name"] = value.name;
  out["c_name"] = names.value(id).text();
  out["type"] = std::string(to_string(value.type));
  out["shape"] = shape_json(value.shape, names);
  if (is_data_sized(value)) {
    out["data_sized"] = true;
    Json most = Json::array();
    for (const Dim& dim : value.shape) most.push_back(dim.range().hi);
    out["max_shape"] = most;
  }
  return out;
}

Json size_json(const Dim& dim, const TreeNames& names) {
  if (dim.is_constant()) return dim.constant();
  return size_text(dim, names);
}

// JSON of text that may not be UTF-8: replaced, never refused.
std::string dump(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace

ManifestWriter manifest_writer(const ModelPlan& plan, const TreeNames& names,
                               const WeightsLayout& weights, const SourceTree& tree) {
  Json json;
  json["format"] = 1;
  json["name"] = names.model.text();
  json["model"] = {{"name", plan.graph.name}, {"sha256", plan.model_sha256}};
  json["hardware"] = {{"name", plan.hardware.name}, {"sha256", plan.hardware_sha256}};
  json["inputs"] = Json::array();
  for (const ValueId id : plan.graph.inputs) json["inputs"].push_back(tensor_json(plan, names, id));
  json["outputs"] = Json::array();
  for (const ValueId id : plan.graph.outputs)
    json["outputs"].push_back(tensor_json(plan, names, id));
  json["symbols"] = Json::array();
  for (const Symbol& symbol : plan.graph.symbols) {
    Json one{{"name", symbol->name}, {"c_name", names.symbol(symbol).text()}, {"min", symbol->min}};
    one["max"] = symbol->max == kUnbounded ? Json(nullptr) : Json(symbol->max);
    json["symbols"].push_back(one);
  }
  json["arena"] = {{"bytes", size_json(plan.memory.arena_bytes, names)},
                   {"align", plan.hardware.arena_align_bytes}};
  Json& weights_json = json["weights"];
  const bool blob = plan.weights == WeightsMode::blob;
  weights_json["mode"] = blob ? "blob" : "embed";
  weights_json["file"] = blob ? Json("weights/" + names.model.text() + ".bin") : Json(nullptr);
  weights_json["bytes"] =
      blob ? kWeightsHeaderBytes + weights.payload_bytes : weights.payload_bytes;
  weights_json["crc32"] = weights.crc;
  Json& build = json["build"];
  build["sources"] = Json::array();
  for (const auto& [path, entry] : tree.entries()) {
    if (path.ends_with(".cpp") && path.starts_with("src/")) build["sources"].push_back(path);
  }
  build["include_dirs"] = {"include"};
  build["standard"] = "c++17";
  build["flags"] = {"-ffp-contract=off"};
  if (!plan.hardware.compilers.empty()) {
    for (const std::string& flag : plan.hardware.compilers[0].compile_flags)
      build["flags"].push_back(flag);
  }
  return [json](const std::vector<TreeFile>& files) {
    Json all = json;
    all["files"] = Json::array();
    for (const TreeFile& file : files) {
      all["files"].push_back({{"path", file.path},
                              {"sha256", file.sha256},
                              {"role", file.role},
                              {"bytes", file.bytes}});
    }
    return dump(all);
  };
}

void emit_project(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                  SourceTree& tree) {
  const Identifier& model = names.model;
  std::vector<TemplateValue> flags;
  if (!plan.hardware.compilers.empty()) {
    for (const std::string& flag : plan.hardware.compilers[0].compile_flags)
      flags.push_back(printed_code(flag));
  }
  tree.add("CMakeLists.txt",
           Template::embedded("templates/cpp/CMakeLists.txt.in")
               .render({{"name", model},
                        {"option", printed_code(names.macro + "_TESTS")},
                        {"embedded", plan.weights == WeightsMode::embed},
                        {"freestanding", plan.profile == Profile::kFreestanding},
                        {"has_pool", tree.entries().contains("threads/burin_threads.h")},
                        {"has_test", tree.entries().contains("test/self_test.c")},
                        {"flags", flags}}),
           "build");
  tree.add(".clang-format", Template::embedded("templates/cpp/.clang-format.in").render({}),
           "build");

  Printer report;
  report.line("# ", model);
  report.line();
  report.line("| | |");
  report.line("|---|---|");
  report.line("| hardware | ", markdown_text(plan.hardware.name), " |");
  report.line("| kernels run | ", static_cast<int64_t>(kernels.of.size()), " |");
  report.line("| distinct kernels | ", static_cast<int64_t>(kernels.kernels.size()), " |");
  report.line("| arena bytes | ", printed_code(size_text(plan.memory.arena_bytes, names)), " |");
  report.line("| lower bound (largest sum of live bytes) | ",
              printed_code(size_text(plan.memory.lower_bound, names)), " |");
  report.line("| without sharing | ", printed_code(size_text(plan.memory.naive_bytes, names)),
              " |");
  report.line();
  report.line("## Kernels");
  report.line();
  report.line("| kernel | family | stands for |");
  report.line("|---|---|---|");
  const auto is_dropped = [&](int at) {
    return std::binary_search(plan.memory.dropped.begin(), plan.memory.dropped.end(), at);
  };
  int position = -1;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    ++position;
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel) return;
    std::string nodes;
    for (const Origin& origin : kernel->origins)
      nodes += (nodes.empty() ? "" : ", ") + origin.op + " " + origin.node;
    if (is_dropped(position)) {
      report.line("| (a view: no code) | movement | ", markdown_text(nodes), " |");
      return;
    }
    const DistinctKernel& one = kernels.kernels[kernels.of.at(position)];
    report.line("| ", one.name, " | ", printed_code(one.family), " | ", markdown_text(nodes), " |");
  });
  tree.add("REPORT.md", report.code(), "report");

  Json json;
  json["format"] = 1;
  json["kernels"] = Json::array();
  position = -1;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    ++position;
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel) return;
    Json one;
    one["kernel"] = is_dropped(position)
                        ? Json(nullptr)
                        : Json(kernels.kernels[kernels.of.at(position)].name.text());
    one["family"] = plan.kernels.at(position).family;
    one["reason"] = plan.kernels.at(position).reason;
    one["nodes"] = Json::array();
    for (const Origin& origin : kernel->origins)
      one["nodes"].push_back({{"name", origin.node}, {"op", origin.op}});
    json["kernels"].push_back(one);
  });
  json["memory"]["bytes"] = size_json(plan.memory.arena_bytes, names);
  for (size_t i = 0; i < plan.memory.values.size(); ++i) {
    const Placement& place = plan.memory.values[i];
    if (place.sharing == Sharing::none) continue;
    json["memory"]["values"][names.value(static_cast<ValueId>(i)).text()] = {
        {"offset", size_json(place.offset, names)},
        {"sharing", std::string(to_string(place.sharing))}};
  }
  tree.add_data("plan.json", dump(json), "plan");
}

EmittedTree emit(const ModelPlan& plan) {
  EmittedTree out;
  const TreeNames names = name_everything(plan);
  const WeightsLayout weights = lay_out_weights(plan);
  const KernelSet kernels = print_kernels(plan);
  emit_interface(plan, names, weights, out.tree);
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
  emit_project(plan, names, kernels, out.tree);
  out.manifest = manifest_writer(plan, names, weights, out.tree);
  return out;
}

}  // namespace burin::cpp

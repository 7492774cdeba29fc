// manifest.json: a tree for build scripts and test drivers. configs/manifest.schema.json says what
// is in it.
#include <nlohmann/json.hpp>

#include "backends/cpp/emit.h"
#include "backends/cpp/json_text.h"
#include "backends/cpp/vocabulary.h"

namespace burin::cpp {
namespace {

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
    for (const Dim& dim : value.shape) {
      const int64_t hi = dim.range().hi;
      most.push_back(hi == kUnbounded ? Json(nullptr) : Json(hi));
    }
    out["max_shape"] = most;
  }
  return out;
}

// What is compiled, and how; the flags of the first compiler of the hardware are the default.
Json build_json(const ModelPlan& plan, const SourceTree& tree) {
  Json build;
  build["target"] = name_of(plan.hardware.target);
  build["profile"] = name_of(plan.profile);
  build["sources"] = Json::array();
  Json threads = Json::array(), test = Json::array();
  for (const auto& [path, entry] : tree.entries()) {
    if (path.ends_with(".cpp") && path.starts_with("src/")) build["sources"].push_back(path);
    if (path.ends_with(".cpp") && path.starts_with("threads/")) threads.push_back(path);
    if (path.ends_with(".c") && path.starts_with("test/")) test.push_back(path);
  }
  build["threads_sources"] = threads;
  build["self_test_sources"] = test;
  build["include_dirs"] = {"include"};
  build["standard"] = "c++17";
  build["flags"] = {"-ffp-contract=off", "-fno-exceptions", "-fno-rtti"};
  build["compilers"] = Json::array();
  for (const Compiler& compiler : plan.hardware.compilers) {
    build["compilers"].push_back({{"name", compiler.name},
                                  {"command", compiler.command},
                                  {"flags", compiler.compile_flags},
                                  {"link_flags", compiler.link_flags}});
  }
  return build;
}

}  // namespace

ManifestWriter manifest_writer(const ModelPlan& plan, const TreeNames& names,
                               const WeightsLayout& weights, const SourceTree& tree) {
  Json json;
  json["format"] = 2;
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
    json["symbols"].push_back({{"name", symbol->name},
                               {"c_name", names.symbol(symbol).text()},
                               {"min", symbol->min},
                               {"max", largest_size(plan, symbol)}});
  }
  json["arena"] = {{"bytes", size_json(plan.memory.arena_bytes, names)},
                   {"align", plan.hardware.arena_align_bytes}};
  for (const NamedSize& size : plan.memory.named)
    json["arena"]["sizes"][names.symbol(size.symbol).text()] = size_json(size.value, names);
  Json& weights_json = json["weights"];
  const bool blob = plan.weights == WeightsMode::blob;
  weights_json["mode"] = blob ? "blob" : "embed";
  weights_json["file"] = blob ? Json("weights/" + names.model.text() + ".bin") : Json(nullptr);
  weights_json["bytes"] =
      blob ? kWeightsHeaderBytes + weights.payload_bytes : weights.payload_bytes;
  weights_json["crc32"] = weights.crc;
  json["self_test"] = {{"runs", plan.self_test.runs.size()}, {"origin", plan.self_test.origin}};
  json["threads"] = {{"workers", workers_of(plan)}};
  json["build"] = build_json(plan, tree);
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

}  // namespace burin::cpp

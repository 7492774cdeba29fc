// manifest.json: a tree for build scripts and test drivers. configs/manifest.schema.json says what
// is in it.
#include <map>
#include <nlohmann/json.hpp>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/json_text.h"
#include "backends/cpp/vocabulary.h"
#include "backends/kept_states.h"
#include "hardware/capabilities.h"
#include "support/sha256.h"
#include "support/version.h"

namespace burin::cpp {
namespace {

Json tensor_json(const ModelPlan& plan, const TreeNames& names, ValueId id) {
  const Value& value = plan.graph.values[static_cast<size_t>(id)];
  Json out;
  out["name"] = value.name;
  out["c_name"] = names.value(id).text();
  out["type"] = std::string(to_string(value.type));
  out["shape"] = shape_json(value.shape, names);
  if (value.strings) out["strings"] = true;
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

// What a tensor is of a sequence or an optional that is several tensors in a row; null: nothing.
Json packed_json(const ModelPlan& plan, const TreeNames& names, bool of_inputs, size_t number) {
  for (const PackedValue& packed : of_inputs ? plan.packed_inputs : plan.packed_outputs) {
    if (number < packed.place || number >= packed.place + packed.tensors()) continue;
    static constexpr const char* kParts[] = {"holds", "items", "extents"};
    const size_t first = packed.nested ? 0 : 1, items = packed.place + 1 - first;
    const std::vector<ValueId>& tensors = of_inputs ? plan.graph.inputs : plan.graph.outputs;
    return {{"kind", packed.nested     ? "optional sequence"
                     : packed.optional ? "optional"
                                       : "sequence"},
            {"part", kParts[number - packed.place + first]},
            {"items", names.value(tensors[items]).text()},
            {"axes", packed.axes}};
  }
  return nullptr;
}

Json interface_json(const ModelPlan& plan, const TreeNames& names, bool of_inputs) {
  const std::vector<KeptState> states = kept_states(plan);
  Json out = Json::array();
  for (const ValueId id : of_inputs ? plan.graph.inputs : plan.graph.outputs) {
    const Json packed = packed_json(plan, names, of_inputs, out.size());
    out.push_back(tensor_json(plan, names, id));
    if (!packed.is_null()) out.back()["packed"] = packed;
    for (const KeptState& state : states) {
      if (state.output == id && !of_inputs)
        out.back()["state_of"] = names.value(state.input).text();
    }
  }
  return out;
}

Json self_test_sources(const std::string& folder, const SourceTree& tree) {
  Json out = Json::array();
  for (const auto& [path, entry] : tree.entries()) {
    if (path.ends_with(".c") && path.starts_with(folder)) out.push_back(path);
  }
  return out;
}

// What is compiled, and how; the flags of the first compiler of the hardware are the default.
Json build_json(const ModelPlan& plan, const std::string& test_folder, const SourceTree& tree) {
  Json build;
  build["target"] = name_of(plan.hardware.target);
  build["profile"] = name_of(plan.profile);
  build["sources"] = Json::array();
  Json threads = Json::array();
  for (const auto& [path, entry] : tree.entries()) {
    if (path.ends_with(".cpp") && path.starts_with("src/")) build["sources"].push_back(path);
    if (path.ends_with(".cpp") && path.starts_with("threads/")) threads.push_back(path);
  }
  build["threads_sources"] = threads;
  build["self_test_sources"] = self_test_sources(test_folder, tree);
  build["include_dirs"] = {"include"};
  build["standard"] = "c++17";
  build["flags"] = {"-ffp-contract=off", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden"};
  build["compilers"] = Json::array();
  for (const Compiler& compiler : plan.hardware.compilers) {
    build["compilers"].push_back({{"name", compiler.name},
                                  {"command", compiler.command},
                                  {"flags", compiler.compile_flags},
                                  {"link_flags", compiler.link_flags}});
  }
  return build;
}

Json weights_json(const Network& network) {
  const bool blob = network.plan->weights == WeightsMode::blob;
  const TreePlaces& places = network.names.places;
  Json out;
  out["mode"] = blob ? "blob" : "embed";
  out["file"] = blob ? Json(places.weights) : Json(nullptr);
  if (blob && places.weights_offset >= 0) out["offset"] = places.weights_offset;
  out["bytes"] = blob ? weights_file_bytes(network.weights) : network.weights.payload_bytes;
  out["crc32"] = network.weights.crc;
  return out;
}

// What a tree says of one network.
void add_network(const Network& network, Json& json) {
  const ModelPlan& plan = *network.plan;
  const TreeNames& names = network.names;
  json["inputs"] = interface_json(plan, names, true);
  json["outputs"] = interface_json(plan, names, false);
  json["symbols"] = Json::array();
  for (const Symbol& symbol : plan.graph.symbols) {
    json["symbols"].push_back({{"name", symbol->name},
                               {"c_name", names.symbol(symbol).text()},
                               {"min", symbol->min},
                               {"max", largest_size(plan, symbol)},
                               {"hint", at_hints(Index::symbol(symbol))}});
  }
  json["arena"] = {{"bytes", size_json(plan.memory.arena_bytes, names)},
                   {"align", plan.hardware.arena_align_bytes}};
  for (const NamedSize& size : plan.memory.named)
    json["arena"]["sizes"][names.symbol(size.symbol).text()] = size_json(size.value, names);
  json["weights"] = weights_json(network);
  if (has_device(plan.hardware)) json["device"] = device_json(plan, names);
  json["self_test"] = {{"runs", plan.self_test.runs.size()}, {"origin", plan.self_test.origin}};
  json["threads"] = {{"workers", workers_of(plan)}};
}

Json model_json(const ModelPlan& plan) {
  return {{"name", plan.graph.name}, {"sha256", plan.model_sha256}};
}

}  // namespace

ManifestWriter manifest_writer(const std::vector<Network>& networks, const SourceTree& tree) {
  const Network& own = networks.back();
  const ModelPlan& plan = *own.plan;
  Json json;
  json["format"] = 3;
  json["name"] = own.names.model.text();
  json["made_by"] = {{"burin", std::string(version())}, {"flags", plan.made_from.flags}};
  json["model"] = model_json(plan);
  json["hardware"] = {{"name", plan.hardware.name}, {"sha256", plan.hardware_sha256}};
  add_network(own, json);
  for (size_t i = 0; i + 1 < networks.size(); ++i) {
    Json one{{"name", networks[i].names.model.text()}, {"model", model_json(*networks[i].plan)}};
    add_network(networks[i], one);
    one["self_test_sources"] = self_test_sources(networks[i].names.places.test, tree);
    json["models"].push_back(std::move(one));
  }
  json["build"] = build_json(plan, own.names.places.test, tree);
  return [json](const std::vector<TreeFile>& files) {
    std::map<std::string, std::string> roles = {{std::string(kHashesName), "hashes"}};
    for (const TreeFile& file : files) roles[file.path] = file.role;
    Json all = json;
    all["files"] = Json::array();
    for (const auto& [path, role] : roles) all["files"].push_back({{"path", path}, {"role", role}});
    TreeLists lists{dump(all)};
    const auto add = [&](const std::string& hash, std::string_view path) {
      lists.hashes += hash + "  " + std::string(path) + "\n";
    };
    for (const TreeFile& file : files) add(file.sha256, file.path);
    add(sha256_hex(lists.manifest), kManifestName);
    return lists;
  };
}

}  // namespace burin::cpp

#include "verify/tree_alone.h"

#include <algorithm>
#include <map>

#include "backends/cpp/emit_cpp.h"
#include "hardware/json_file.h"
#include "kernel/index/index_text.h"
#include "support/diagnostics.h"
#include "support/numbers.h"
#include "verify/made_inputs.h"

namespace burin {
namespace {

constexpr const char* kRule = "malformed-manifest";
constexpr int64_t kNsPerMicrosecond = 1000;

// A name that is code as it stands.
std::string name_in(const JsonValue& value) {
  const std::string& text = value.as_string();
  if (!is_identifier(text)) value.refuse(kRule, burin::quoted(text) + " is no name in C");
  return text;
}

// A file of the tree.
std::string path_in(const JsonValue& value) {
  const std::string& text = value.as_string();
  if (text.empty() || text[0] == '/' || text.find("..") != text.npos)
    value.refuse(kRule, burin::quoted(text) + " is no file of a tree");
  return text;
}

class Reader {
 public:
  Reader(const JsonValue& manifest, const Hardware& hardware) : manifest_(manifest) {
    out_.plan.hardware = hardware;
  }

  TreeAlone read() {
    if (manifest_.has("models"))
      manifest_.at("models").refuse("model-count", "the tree is of several models",
                                    "give one that burin generate made of one model");
    out_.plan.name = name_in(manifest_.at("name"));
    const std::string& mode = manifest_.at("weights").at("mode").as_string();
    out_.plan.weights = mode == "blob" ? WeightsMode::blob : WeightsMode::embed;
    read_symbols();
    read_tensors("inputs", out_.plan.graph.inputs);
    read_tensors("outputs", out_.plan.graph.outputs);
    read_states();
    const JsonValue build = manifest_.at("build"), sources = build.at("sources");
    for (size_t i = 0; i < sources.size(); ++i) out_.sources.push_back(path_in(sources[i]));
    const JsonValue pool = build.at("threads_sources");
    if (pool.size() > 0) out_.pool = path_in(pool[0]);
    out_.workers = static_cast<int>(manifest_.at("threads").at("workers").as_integer(1, 1024));
    check_names();
    return std::move(out_);
  }

 private:
  KernelGraph& graph() { return out_.plan.graph; }

  void read_symbols() {
    const JsonValue list = manifest_.at("symbols");
    for (size_t i = 0; i < list.size(); ++i) {
      SymbolInfo info;
      info.name = name_in(list[i].at("c_name"));
      info.origin = SymbolOrigin::param;
      info.min = list[i].at("min").as_integer(0, kUnbounded);
      info.max = list[i].at("max").as_integer(info.min, kUnbounded);
      info.hint = list[i].at("hint").as_integer(info.min, info.max);
      graph().symbols.push_back(std::make_shared<const SymbolInfo>(info));
      out_.sizes += (i ? ", " : "") + burin::quoted(list[i].at("name").as_string()) + " = " +
                    std::to_string(info.hint);
    }
  }

  // A size of the caller's; nullopt: the run's own take part, whose names are not listed.
  std::optional<Dim> size_of(const JsonValue& value) {
    if (value.kind() == JsonKind::kInteger) return Dim(value.as_integer(0, kUnbounded));
    bool known = true;
    const auto named = [&](std::string_view name) -> std::optional<Index> {
      for (const Symbol& symbol : graph().symbols) {
        if (symbol->name == name) return Index::symbol(symbol);
      }
      known = false;
      return Index(1);
    };
    IndexLeaves leaves{named, [&](int axis) { return named("i" + std::to_string(axis)); }};
    try {
      const Dim size = parse_index(value.as_string(), leaves);
      return known ? std::optional(size) : std::nullopt;
    } catch (const Refused&) {
      value.refuse(kRule, burin::quoted(value.as_string()) + " is no size");
    }
  }

  void read_tensors(const char* list, std::vector<ValueId>& ids) {
    const JsonValue tensors = manifest_.at(list);
    for (size_t i = 0; i < tensors.size(); ++i) {
      const JsonValue one = tensors[i], shape = one.at("shape");
      const std::optional<Type> type = type_from_string(one.at("type").as_string());
      if (!type) one.at("type").refuse(kRule, "this is no type of a tensor");
      Value value;
      value.name = name_in(one.at("c_name"));
      value.type = *type;
      for (size_t d = 0; d < shape.size(); ++d) {
        std::optional<Dim> size = size_of(shape[d]);
        if (!size) size = size_of_run(one, d);
        value.shape.push_back(*size);
      }
      ids.push_back(static_cast<ValueId>(graph().values.size()));
      graph().values.push_back(std::move(value));
    }
  }

  // A size that data decide, with the bound that the tree has for it.
  Dim size_of_run(const JsonValue& tensor, size_t d) {
    const JsonValue most = tensor.at("max_shape")[d];
    SymbolInfo info;
    info.name = "size_" + std::to_string(graph().values.size()) + "_" + std::to_string(d);
    info.origin = SymbolOrigin::run;
    if (most.kind() != JsonKind::kNull) info.max = most.as_integer(0, kUnbounded);
    return Index::symbol(std::make_shared<const SymbolInfo>(info));
  }

  void read_states() {
    const JsonValue outputs = manifest_.at("outputs");
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].has("state_of")) continue;
      const JsonValue input = outputs[i].at("state_of");
      const auto of = std::find_if(graph().inputs.begin(), graph().inputs.end(), [&](ValueId id) {
        return graph().values[static_cast<size_t>(id)].name == input.as_string();
      });
      if (of == graph().inputs.end()) input.refuse(kRule, "the tree has no such input");
      Procedure keep;
      keep.function = "keep_state";
      keep.reads = {*of};
      keep.writes = {graph().outputs[i]};
      graph().steps.emplace_back(std::move(keep));
    }
  }

  // Whoever prints code for this plan gives its names as the tree has them.
  void check_names() {
    const cpp::TreeNames names = cpp::name_everything(out_.plan);
    bool same = names.model.text() == out_.plan.name;
    for (size_t i = 0; i < graph().values.size(); ++i)
      same = same && names.value(static_cast<ValueId>(i)).text() == graph().values[i].name;
    for (const Symbol& symbol : graph().symbols)
      same = same && names.symbol(symbol).text() == symbol->name;
    if (!same) manifest_.refuse(kRule, "two things of the tree have one name");
  }

  const JsonValue manifest_;
  TreeAlone out_;
};

// The functions of plan.json: of each what all steps do that it is called for.
void read_kernels(const JsonValue& plan, TreeAlone& out) {
  std::map<std::string, KernelTime> found;
  const JsonValue kernels = plan.at("kernels");
  const int64_t clock = std::max(1, out.plan.hardware.clock_mhz);
  for (size_t i = 0; i < kernels.size(); ++i) {
    const JsonValue step = kernels[i];
    if (step.at("kernel").kind() == JsonKind::kNull) continue;  // a view
    std::vector<std::string> names;
    if (step.has("launches")) {
      const JsonValue launches = step.at("launches");
      for (size_t k = 0; k < launches.size(); ++k) names.push_back(name_in(launches[k]));
    } else {
      names.push_back(name_in(step.at("kernel")));
    }
    const int64_t macs = step.at("macs").as_integer(0, kUnbounded);
    const int64_t ns = step.at("least_cycles").as_integer(0, kUnbounded / kNsPerMicrosecond) *
                       kNsPerMicrosecond / clock;
    out.macs += macs;
    out.least_ns += ns;
    std::vector<Origin> nodes;
    for (size_t k = 0; k < step.at("nodes").size(); ++k) {
      const JsonValue node = step.at("nodes")[k];
      nodes.push_back({node.at("name").as_string(), node.at("op").as_string()});
    }
    for (const std::string& name : names) {
      KernelTime& one = found.try_emplace(name).first->second;
      one.name = name;
      add_nodes(nodes, one.nodes);
      if (names.size() > 1) continue;  // which launch does how much of it is not known
      one.macs += macs;
      one.least_ns += ns;
    }
  }
  for (auto& [name, kernel] : found) out.kernels.push_back(std::move(kernel));
}

}  // namespace

TreeAlone read_tree_alone(const std::string& tree, const Hardware& hardware) {
  const JsonDocument manifest = read_json_file(tree + "/manifest.json"),
                     plan = read_json_file(tree + "/plan.json");
  TreeAlone out = Reader(manifest.root(), hardware).read();
  read_kernels(plan.root(), out);
  return out;
}

std::vector<HostTensor> inputs_of(const ModelPlan& plan,
                                  const std::map<std::string, int64_t>& sizes, int attempt) {
  constexpr int kAttempts = 3;
  std::vector<HostTensor> out;
  for (size_t i = 0; i < plan.graph.inputs.size() && attempt < kAttempts; ++i) {
    const Value& value = plan.graph.values[static_cast<size_t>(plan.graph.inputs[i])];
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape)
      shape.push_back(
          dim.evaluate([&](const Index& leaf) { return sizes.at(leaf.as_symbol()->name); }));
    Numbers numbers(i + 1);
    out.push_back(made_up_tensor(value.type, shape, numbers));
    if (attempt == 0 || is_float(value.type)) continue;
    for (int64_t k = 0; k < out.back().elements(); ++k)
      out.back().set(k, {0, attempt == 1 ? 1 : 0});
  }
  return out;
}

}  // namespace burin

// FastRPC: a network on a DSP, called from a program of Android. Both ends of its calls are
// emitted, so that nothing but the declarations of a Hexagon SDK is needed.
#include <algorithm>
#include <set>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/vocabulary.h"
#include "backends/kept_states.h"
#include "backends/packages/packages.h"
#include "backends/packages/size_function.h"
#include "render/printed_code.h"
#include "render/template.h"
#include "support/diagnostics.h"

namespace burin::packages {
namespace {

constexpr const char* kStateRemark = "; of length 0: the state stays on the DSP";
constexpr size_t kMostTensors = 250;  // a call has at most 255 buffers each way

// Types as the SDK's interface language has them: without C's "_t".
std::string idl_type(const std::string& c) {
  return c.ends_with("_t") ? c.substr(0, c.size() - 2) : c;
}

List tensors_of(const Network& network, const std::vector<ValueId>& ids) {
  const std::set<ValueId> states = values_of(kept_states(*network.plan));
  List out;
  for (const ValueId id : ids) {
    const Value& value = network.plan->graph.values[static_cast<size_t>(id)];
    if (cpp::is_data_sized(value))
      refuse("package", "fastrpc has no '" + value.name + "', which has a dynamic size",
             "its C interface serves on the DSP as it is");
    const std::string type(cpp::storage_type(value.type));
    const auto spell = [&](const Symbol& symbol) {
      return "dims." + network.names.symbol(symbol).text();
    };
    append(out, {{"field", network.names.value(id)},
                 {"type", printed_code(type)},
                 {"idl", printed_code(idl_type(type))},
                 {"remark", CommentText(value.name + ": " + std::string(to_string(value.type)) +
                                            to_string(value.shape) +
                                            (states.contains(id) ? kStateRemark : ""),
                                        200)},
                 {"elements", printed_code(size_function(product(value.shape), "size_", spell))}});
  }
  return out;
}

// Inputs and outputs that are one state each.
List states_of(const Network& network) {
  const KernelGraph& graph = network.plan->graph;
  const auto number_in = [](const std::vector<ValueId>& list, ValueId id) {
    return int64_t{std::find(list.begin(), list.end(), id) - list.begin()};
  };
  List out;
  for (const KeptState& one : kept_states(*network.plan)) {
    const Value& value = graph.values[static_cast<size_t>(one.input)];
    append(out, {{"input", number_in(graph.inputs, one.input)},
                 {"output", number_in(graph.outputs, one.output)},
                 {"in_field", network.names.value(one.input)},
                 {"out_field", network.names.value(one.output)},
                 {"type", printed_code(std::string(cpp::storage_type(value.type)))}});
  }
  return out;
}

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

void add_ends(const Network& network, SourceTree& tree) {
  const cpp::TreeNames& names = network.names;
  const KernelGraph& graph = network.plan->graph;
  if (graph.inputs.size() > kMostTensors || graph.outputs.size() > kMostTensors)
    refuse("package", "fastrpc carries at most " + std::to_string(kMostTensors) + " tensors a call",
           "merge inputs or outputs in the model");
  const Record name{{"name", names.model}, {"macro", printed_code(capitals(names.model.text()))}};
  List dims;
  for (const Symbol& symbol : graph.symbols) {
    const int64_t most =
        symbol->max == kUnbounded ? network.plan->size_limits.of(*symbol) : symbol->max;
    append(dims, {{"field", names.symbol(symbol)},
                  {"least", Code::integer(symbol->min)},
                  {"most", Code::integer(most)}});
  }
  Record tensors = name;
  tensors.insert({"inputs", tensors_of(network, graph.inputs)});
  tensors.insert({"outputs", tensors_of(network, graph.outputs)});
  Record sizes = tensors;
  sizes.insert({"dims", dims});
  Record skel = sizes;
  skel.insert({"states", states_of(network)});
  skel.insert({"arena_align", network.plan->hardware.arena_align_bytes});
  Record idl = sizes;
  idl.erase("macro");
  idl.erase("dims");
  const auto add = [&](const std::string& end, const Record& record) {
    tree.add("fastrpc/" + names.model.text() + end,
             Template::embedded("templates/packages/fastrpc/name" + end + ".in").render(record),
             "binding");
  };
  add("_rpc.idl", idl);
  Record header = sizes;
  header.erase("dims");
  add("_rpc.h", header);
  add("_rpc_stub.c", tensors);
  add("_rpc_skel.c", skel);
  Record handles = name;
  handles.insert({"states", states_of(network)});
  add("_rpc_handles.h", handles);
  add("_rpc_sizes.h", name);
  add("_host.h", name);
  add("_host.c", name);
}

}  // namespace

void add_fastrpc(const std::vector<Network>& networks, SourceTree& tree) {
  List names;
  for (const Network& network : networks) {
    add_ends(network, tree);
    append(names, {{"name", network.names.model}});
  }
  tree.add("fastrpc/CMakeLists.txt",
           Template::embedded("templates/packages/fastrpc/CMakeLists.txt.in")
               .render({{"name", networks.back().names.model}, {"networks", names}}),
           "binding");
}

}  // namespace burin::packages

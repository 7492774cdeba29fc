#include "verify/read_case.h"

#include "kernel/interpreter.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Older data of the ONNX project keep bf16 as u16.
HostTensor read_as(const NamedTensor& named, const Value& value) {
  HostTensor host = to_host(named.tensor);
  if (host.type == Type::u16 && value.type == Type::bf16) host.type = Type::bf16;
  const bool nibbles = size_bits(host.type) == 4 && size_bits(value.type) == 8;
  if (nibbles && is_signed(host.type) == is_signed(value.type)) {
    // 4-bit integers take a byte each in a tree (fuse/unpack.h).
    HostTensor bytes = make_tensor(value.type, host.shape);
    for (int64_t k = 0; k < host.elements(); ++k) bytes.set(k, host.get(k));
    host = std::move(bytes);
  }
  if (host.type != value.type) {
    refuse("type", "the tensor for " + burin::quoted(value.name) + " is " +
                       std::string(to_string(host.type)) + ", the model has " +
                       std::string(to_string(value.type)));
  }
  return host;
}

}  // namespace

DataCase read_case(const ModelPlan& plan, const DataSet& set, const CompileOptions& options) {
  DataCase out;
  std::vector<std::vector<int64_t>> shapes;
  size_t given = 0;
  for (size_t place = 0; given < plan.graph.inputs.size(); ++place) {
    if (options.held.contains(place)) continue;
    const Value& value = plan.graph.values[static_cast<size_t>(plan.graph.inputs[given++])];
    if (place >= set.inputs.size() || !set.inputs[place])
      refuse("io", burin::quoted(set.path) + " has no input_" + std::to_string(place) +
                       ".pb, the tensor of input " + burin::quoted(value.name));
    out.run.inputs.push_back(read_as(*set.inputs[place], value));
    shapes.push_back(out.run.inputs.back().shape);
  }
  out.run.symbols = bind_symbols(plan.graph, shapes);
  if (set.outputs.size() > plan.graph.outputs.size())
    refuse("io", burin::quoted(set.path) + " has more outputs than the model");
  for (size_t k = 0; k < set.outputs.size(); ++k) {
    const Value& value = plan.graph.values[static_cast<size_t>(plan.graph.outputs[k])];
    out.wanted.emplace_back();
    if (set.outputs[k]) out.wanted.back() = read_as(*set.outputs[k], value);
    out.run.wanted.push_back(out.wanted[k] ? out.wanted[k]->shape : std::vector<int64_t>());
  }
  return out;
}

}  // namespace burin

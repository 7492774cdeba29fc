#include "verify/state_rooms.h"

#include <algorithm>
#include <cstring>

#include "kernel/interpreter/interpreter.h"

namespace burin {
namespace {

// The elements that both have, each at its place.
HostTensor reshaped(const HostTensor& from, const std::vector<int64_t>& shape) {
  HostTensor to = make_tensor(from.type, shape);
  if (from.elements() == 0 || to.elements() == 0) return to;
  const size_t each = from.bytes.size() / static_cast<size_t>(from.elements());
  std::vector<int64_t> at(shape.size(), 0);
  for (bool more = true; more;) {
    size_t source = 0, target = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      source = source * static_cast<size_t>(from.shape[d]) + static_cast<size_t>(at[d]);
      target = target * static_cast<size_t>(shape[d]) + static_cast<size_t>(at[d]);
    }
    std::memcpy(to.bytes.data() + target * each, from.bytes.data() + source * each, each);
    more = false;
    for (size_t d = at.size(); d-- > 0 && !more;) {
      more = ++at[d] < std::min(from.shape[d], shape[d]);
      if (!more) at[d] = 0;
    }
  }
  return to;
}

HostTensor in_room(const HostTensor& tensor, const KernelGraph& graph, ValueId id) {
  std::vector<int64_t> room = tensor.shape;
  const Value& value = graph.values[static_cast<size_t>(id)];
  for (size_t d = 0; d < room.size(); ++d) {
    if (value.shape[d].is_constant()) room[d] = value.shape[d].constant();
  }
  return reshaped(tensor, room);
}

// Of a shape at these sizes; those that a run alone knows are as in `otherwise`.
std::vector<int64_t> extents(const std::vector<Dim>& shape, const std::vector<int64_t>& otherwise,
                             const std::map<std::string, int64_t>& sizes) {
  std::vector<int64_t> out = otherwise;
  for (size_t d = 0; d < shape.size() && d < out.size(); ++d) {
    bool known = true;
    const int64_t extent = shape[d].evaluate([&](const Index& leaf) -> int64_t {
      const auto size = sizes.find(leaf.as_symbol()->name);
      known = known && size != sizes.end();
      return known ? size->second : 0;
    });
    if (known) out[d] = extent;
  }
  return out;
}

// Those that a run takes from elements of inputs, as a cache's length is one.
void add_sizes_of_data(const KernelGraph& lowered, const std::vector<HostTensor>& inputs,
                       std::map<std::string, int64_t>& sizes) {
  Environment environment{.symbols = sizes, .tensors = {}, .open = {}, .left = {}};
  for (size_t i = 0; i < inputs.size(); ++i)
    environment.tensors.emplace(lowered.inputs[i], inputs[i]);
  for (const Step& step : lowered.steps) {
    const std::vector<ValueId> reads = reads_of(step);
    const bool of_inputs = std::all_of(reads.begin(), reads.end(), [&](ValueId id) {
      return environment.tensors.contains(id) ||
             lowered.values[static_cast<size_t>(id)].kind == ValueKind::constant;
    });
    if (!std::holds_alternative<Bind>(step) || !of_inputs) continue;
    const std::string& name = std::get<Bind>(step).symbol->name;
    if (execute_steps({step}, lowered.values, environment).status == kRunOk)
      sizes[name] = environment.symbols.at(name);
  }
}

}  // namespace

std::map<std::string, int64_t> sizes_of(const Compiled& compiled,
                                        const std::vector<HostTensor>& inputs) {
  const KernelGraph& graph = compiled.plan.graph;
  std::vector<std::vector<int64_t>> shapes;
  for (const HostTensor& input : inputs) shapes.push_back(input.shape);
  std::map<size_t, std::vector<Dim>> declared;
  for (const StateForm& form : compiled.states) declared.emplace(form.input, form.before);
  std::map<std::string, int64_t> out = bind_symbols(graph, shapes, declared);
  if (!compiled.states.empty()) add_sizes_of_data(compiled.lowered, inputs, out);
  return out;
}

std::vector<HostTensor> into_rooms(const Compiled& compiled, std::vector<HostTensor> inputs) {
  const KernelGraph& graph = compiled.plan.graph;
  for (const StateForm& form : compiled.states)
    inputs[form.input] = in_room(inputs[form.input], graph, graph.inputs[form.input]);
  return inputs;
}

HostTensor into_room(const Compiled& compiled, size_t output, HostTensor tensor,
                     const std::map<std::string, int64_t>& sizes) {
  const KernelGraph& graph = compiled.plan.graph;
  for (const StateForm& form : compiled.states) {
    if (form.output == output && tensor.shape == extents(form.after, tensor.shape, sizes))
      return in_room(tensor, graph, graph.outputs[output]);
  }
  return tensor;
}

HostTensor out_of_room(const Compiled& compiled, size_t output, HostTensor tensor,
                       const std::map<std::string, int64_t>& sizes) {
  for (const StateForm& form : compiled.states) {
    if (form.output == output) return reshaped(tensor, extents(form.after, tensor.shape, sizes));
  }
  return tensor;
}

int64_t take_what_was_left(const Compiled& compiled, size_t output,
                           const std::vector<HostTensor>& inputs, const HostTensor& got,
                           HostTensor& wanted) {
  int64_t left = 0;
  for (const StateForm& form : compiled.states) {
    if (form.output != output || !form.leaves_zeros) continue;
    const HostTensor& before = inputs.at(form.input);
    if (before.bytes.size() != got.bytes.size() || got.shape != wanted.shape) continue;
    const size_t each =
        got.bytes.size() / static_cast<size_t>(std::max<int64_t>(1, got.elements()));
    for (int64_t i = 0; i < got.elements(); ++i) {
      const size_t at = static_cast<size_t>(i) * each;
      const bool is_as_before = std::memcmp(&got.bytes[at], &before.bytes[at], each) == 0;
      const ScalarValue zero = wanted.get(i);
      const bool is_zero = zero.number == 0 && zero.integer == 0;
      const bool is_other = std::memcmp(&got.bytes[at], &wanted.bytes[at], each) != 0;
      if (!is_as_before || !is_zero || !is_other) continue;
      std::memcpy(&wanted.bytes[at], &got.bytes[at], each);
      ++left;
    }
  }
  return left;
}

}  // namespace burin

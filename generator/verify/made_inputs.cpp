#include "verify/made_inputs.h"

#include "verify/into_lengths.h"
#include "verify/into_ranges.h"
#include "verify/nibbles.h"
#include "verify/packed_data.h"

namespace burin {
namespace {

// Extents that go together with the tensor of all items.
void make_consistent(const PackedValue& packed, std::vector<HostTensor>& inputs) {
  size_t next = packed.place;
  if (packed.nested) inputs.at(next++).set(0, {0, 1});
  if (packed.axes.empty()) return;
  HostTensor& extents = inputs.at(next + 1);
  extents = made_up_extents(packed, extents.shape.at(0), inputs.at(next).shape.at(0));
}

// A whole number or a truth by itself, which may decide what runs: the other one in every second
// run.
void alternate(HostTensor& input, size_t run) {
  const bool decides =
      input.type == Type::boolean || (!is_float(input.type) && size_bits(input.type) > 16);
  if (run % 2 == 1 && decides && input.elements() == 1)
    input.set(0, {0, input.get(0).integer == 0 ? 1 : 0});
}

}  // namespace

std::vector<int64_t> shape_at(const std::vector<Dim>& shape, const SampleSizes& sizes) {
  std::vector<int64_t> out;
  for (const Dim& dim : shape) {
    out.push_back(
        dim.evaluate([&](const Index& leaf) { return sizes.at(leaf.as_symbol()->name); }));
  }
  return out;
}

HostTensor made_up_tensor(Type type, const std::vector<int64_t>& shape, Numbers& numbers) {
  HostTensor out = make_tensor(type, shape);
  const int bits = size_bits(type);
  for (int64_t i = 0; i < out.elements(); ++i) {
    if (type != Type::boolean && (is_float(type) || bits <= 16)) {
      const int64_t number = static_cast<int64_t>(numbers.below(128)) - 64;
      out.set(i, is_float(compute_type(type))
                     ? ScalarValue{static_cast<double>(number) / 64, 0}
                     : ScalarValue{0, is_signed(type) ? number : number + 64});
    } else {
      out.set(i, {0, static_cast<int64_t>(numbers.below(2))});
    }
  }
  return out;
}

std::vector<HostTensor> inputs_of_model(const Compiled& compiled, const SampleSizes& sizes,
                                        bool lengths, size_t run) {
  const KernelGraph& graph = compiled.plan.graph;
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const Value& value = graph.values[static_cast<size_t>(graph.inputs[i])];
    Numbers numbers(sequence_of_input(i));
    inputs.push_back(made_up_tensor(value.type, shape_at(value.shape, sizes), numbers));
    alternate(inputs.back(), run);
  }
  for (const PackedValue& packed : compiled.plan.packed_inputs) make_consistent(packed, inputs);
  if (lengths) into_lengths(compiled.lowered, graph, sizes, inputs);
  into_ranges(compiled.lowered, sizes, inputs);
  return in_widths_of(compiled.lowered, compiled.lowered.inputs, std::move(inputs));
}

std::vector<HostTensor> made_up_inputs(const Compiled& compiled, const SampleSizes& sizes,
                                       bool lengths) {
  const KernelGraph& graph = compiled.plan.graph;
  return in_widths_of(graph, graph.inputs, inputs_of_model(compiled, sizes, lengths, 0));
}

}  // namespace burin

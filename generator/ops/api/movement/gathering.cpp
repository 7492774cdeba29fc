#include "ops/api/movement/gathering.h"

#include "kernel/tensor.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMostGatheredEntries = 4096;  // that are looked at one by one

// A constant entry as an index.
Index known_index(int64_t entry, const Dim& extent) {
  const Index index = entry < 0 ? extent + entry : Index(entry);
  if (proven_lt(index, 0) || proven_le(extent, index)) {
    refuse("bad-index",
           "index " + std::to_string(entry) + " is outside a dimension of " + to_string(extent));
  }
  return index;
}

}  // namespace

std::function<Index(const Indices&)> index_reader(OpContext& op, int input, const Dim& extent) {
  const Operand indices = op.input(input);
  const auto load = [indices, extent](const Indices& at) {
    return data_index(indices.at(at), extent);
  };
  const std::optional<Tensor> constant = op.constant(input);
  if (!constant || constant->elements() == 0 || constant->elements() > kMostGatheredEntries)
    return load;
  const HostTensor tensor = to_tensor(constant->type, constant->shape, constant->content);
  std::vector<Index> entries;
  for (int64_t k = 0; k < tensor.elements(); ++k)
    entries.push_back(known_index(tensor.get(k).integer, extent));
  // That they lie inside a symbolic extent is left to the run to check.
  const auto require_inside = [&](const Index& entry) {
    op.require({{entry, 0, extent}}, "index " + to_string(entry));
  };
  if (entries.size() == 1) {
    require_inside(entries[0]);
    return [entry = entries[0]](const Indices&) { return entry; };
  }
  const Index step = entries[1] - entries[0];
  bool even = indices.rank() == 1 && step.is_constant();
  for (size_t k = 2; even && k < entries.size(); ++k) even = entries[k] - entries[k - 1] == step;
  if (!even) {
    // Those farthest from the start and from the end; the others lie between.
    int64_t least = 0, greatest = 0;
    for (int64_t k = 1; k < tensor.elements(); ++k) {
      if (tensor.get(k).integer < tensor.get(least).integer) least = k;
      if (tensor.get(k).integer > tensor.get(greatest).integer) greatest = k;
    }
    if (tensor.get(least).integer < 0) require_inside(entries[static_cast<size_t>(least)]);
    if (tensor.get(greatest).integer >= 0) require_inside(entries[static_cast<size_t>(greatest)]);
    return load;
  }
  require_inside(entries.front());
  require_inside(entries.back());
  return [first = entries[0], step](const Indices& at) { return first + step * at[0]; };
}

}  // namespace burin
